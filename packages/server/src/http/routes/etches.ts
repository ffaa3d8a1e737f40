import { type CreateEtchBody, parseDateTime } from '@svc/contract';
import type { BodyOf } from '@svc/contract/types';
import { wordsMisfit } from '@svc/protocol/conventions';
import type { Static } from 'typebox';
import type { EtchRequest } from '../../acts/creation.ts';
import { retractEtch } from '../../acts/retract-store.ts';
import { revealEtch } from '../../acts/reveal-store.ts';
import { makeOpening } from '../../etches/opening.ts';
import type { EtchRow } from '../../etches/row.ts';
import { etchView } from '../../etches/view.ts';
import { makeEvidence } from '../../proofs/evidence/answer.ts';
import { idOf } from '../errors.ts';
import { etagOf } from '../representation.ts';
import type { Operations } from '../operation.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { whoOf } from '../rate-limits.ts';

const etchId = (params: { id: string }): string => idOf(params.id, 'there is no etch with this id');

export function etchRoutes({ db, clock, etches: { creator, reader }, view }: HttpDependencies): Operations {
  const answers = new WeakMap<EtchRow, { bytes: Buffer; etag: string }>();
  const answerOf = (row: EtchRow): { bytes: Buffer; etag: string } => {
    let answer = answers.get(row);
    if (!answer) {
      const text = JSON.stringify({ etch: etchView(row, clock.now(), view) });
      answers.set(row, (answer = { bytes: Buffer.from(text), etag: etagOf(text) }));
    }
    return answer;
  };
  const show = (row: EtchRow) => ({ etch: etchView(row, clock.now(), view) });

  return {
    async createEtch({ caller, body, headers, reply }) {
      const { etch, replay, promise } = await creator.create(
        caller,
        toEtchRequest(body),
        headers['idempotency-key'] as string | undefined,
      );
      if (replay) void reply.header('Idempotent-Replay', 'true');
      const shown = etchView(etch, clock.now(), view);
      const note = wordsMisfit(body.content, shown.challenge?.question ?? null);
      return { etch: shown, promise, ...(note !== null && { note }) };
    },

    async getEtch({ params, reply }) {
      const { bytes, etag } = answerOf(await reader.get(etchId(params)));
      void reply.header('ETag', etag).header('Content-Type', 'application/json; charset=utf-8');
      return bytes;
    },

    findEtchByHash: async ({ query }) => show(await reader.getByHash(query.hash)),

    async revealEtch({ caller, params }) {
      const id = etchId(params);
      await revealEtch(db, view.keyring, caller, id, clock.now());
      return show(await reader.get(id));
    },

    async retractEtch({ caller, params }) {
      const id = etchId(params);
      await retractEtch(db, clock, caller, id);
      return show(await reader.get(id));
    },
  };
}

export const proofRoutes = (deps: HttpDependencies): Operations => ({
  getOpening({ caller, params, reply }) {
    void reply.header('Cache-Control', 'no-store');
    return makeOpening(deps.openings, caller, etchId(params), () =>
      deps.meters.opening.take(caller.userId, 1),
    );
  },

  getReceipt: ({ params }) => deps.etches.verifier.receipt(etchId(params)),

  // This costs as much work as a chain read.
  async getEvidence({ params, request }) {
    await deps.chainReads.take(request.ip, 1, 0);
    return makeEvidence(await deps.etches.verifier.shown(etchId(params)), deps.evidence);
  },

  verifyEtch: ({ params, request }) =>
    deps.etches.verifier.verify(etchId(params), deps.chainReads.readerFor(request.ip)),

  // Requests to relays count as chain reads; a cached round is free.
  async getBeacon({ params, request, reply }) {
    const count = () => deps.chainReads.take(request.ip, 1, 0);
    const beacon = await deps.beacons.read(params.chain, params.round, { who: whoOf(request), count });
    void reply.header('Cache-Control', 'public, max-age=31536000, immutable');
    return beacon;
  },
});

/** An answer to a challenge ignores the body's reveal time. */
export function toEtchRequest({
  reveal_at: revealAt,
  challenge_id: challengeId,
  ...rest
}: Static<typeof CreateEtchBody> | BodyOf<'createEtch'>): EtchRequest {
  if (challengeId == null)
    return { ...rest, ...(revealAt == null ? {} : { reveal_at: parseDateTime(revealAt)! }) };
  return {
    ...rest,
    ...(revealAt == null ? {} : { reveal_at: revealAt }),
    challenge_id: challengeId.toLowerCase(),
  };
}
