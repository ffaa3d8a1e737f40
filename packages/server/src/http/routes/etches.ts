import { type CreateEtchBody, parseDateTime, ROUTES } from '@svc/contract';
import type { BodyOf } from '@svc/contract/types';
import { wordsMisfit } from '@svc/protocol/conventions';
import type { Static } from 'typebox';
import type { FastifyInstance } from 'fastify';
import type { EtchCreator } from '../../acts/create.ts';
import type { EtchRequest } from '../../acts/creation.ts';
import { retractEtch } from '../../acts/retract.ts';
import { revealEtch } from '../../acts/reveal.ts';
import type { Clock } from '../../db/clock.ts';
import type { Db } from '../../db/db.ts';
import type { EtchReader } from '../../etches/read.ts';
import type { EtchRow } from '../../etches/row.ts';
import { etchView, type ViewContext } from '../../etches/view.ts';
import { etagOf } from '../etag.ts';
import { operation } from '../operation.ts';
import { idOf } from '../errors.ts';
import { makeOpening, type OpeningDependencies } from '../../etches/opening.ts';
import type { ChainReads, RateLimiter } from '../rate-limits.ts';
import type { EtchVerifier } from '../../etches/verify.ts';
import { type EvidenceDependencies, makeEvidence } from '../../proofs/evidence/answer.ts';
import type { Beacons } from '../../etches/beacons/beacons.ts';

interface EtchRoutes {
  db: Db;
  clock: Clock;
  creator: EtchCreator;
  reader: EtchReader;
  view: ViewContext;
}

const NO_ETCH = 'there is no etch with this id';

export function mountEtches(api: FastifyInstance, { db, clock, creator, reader, view }: EtchRoutes): void {
  const answers = new WeakMap<EtchRow, { bytes: Buffer; etag: string }>();
  const answerOf = (row: EtchRow): { bytes: Buffer; etag: string } => {
    let answer = answers.get(row);
    if (!answer) {
      const text = JSON.stringify({ etch: etchView(row, clock.now(), view) });
      answers.set(row, (answer = { bytes: Buffer.from(text), etag: etagOf(text) }));
    }
    return answer;
  };

  const show = async (id: string) => ({ etch: etchView(await reader.get(id), clock.now(), view) });

  operation(api, ROUTES.createEtch, async ({ caller, body, headers, reply }) => {
    const { etch, replay, promise } = await creator.create(
      caller,
      toEtchRequest(body),
      headers['idempotency-key'] as string | undefined,
    );
    if (replay) void reply.header('Idempotent-Replay', 'true');
    const shown = etchView(etch, clock.now(), view);
    const note = wordsMisfit(body.content, shown.challenge?.question ?? null);
    return { etch: shown, promise, ...(note !== null && { note }) };
  });

  operation(api, ROUTES.getEtch, async ({ params, reply }) => {
    const { bytes, etag } = answerOf(await reader.get(idOf(params.id, NO_ETCH)));
    void reply.header('Cache-Control', 'no-cache').header('ETag', etag);
    return reply.header('Content-Type', 'application/json; charset=utf-8').send(bytes);
  });

  operation(api, ROUTES.findEtchByHash, async ({ query, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    return { etch: etchView(await reader.getByHash(query.hash), clock.now(), view) };
  });

  operation(api, ROUTES.revealEtch, async ({ caller, params }) => {
    const id = idOf(params.id, NO_ETCH);
    await revealEtch(db, view.keyring, caller, id, clock.now());
    return show(id);
  });

  operation(api, ROUTES.retractEtch, async ({ caller, params }) => {
    const id = idOf(params.id, NO_ETCH);
    await retractEtch(db, clock, caller, id);
    return show(id);
  });
}

/** An answer to a challenge ignores the body's reveal time. */
export function toEtchRequest({
  reveal_at: revealAt,
  challenge_id: challengeId,
  ...rest
}: Static<typeof CreateEtchBody> | BodyOf<'createEtch'>): EtchRequest {
  if (challengeId != null) {
    return {
      ...rest,
      ...(revealAt == null ? {} : { reveal_at: revealAt }),
      challenge_id: challengeId.toLowerCase(),
    };
  }
  return { ...rest, ...(revealAt == null ? {} : { reveal_at: parseDateTime(revealAt)! }) };
}

export function mountOpenings(
  api: FastifyInstance,
  { meter, ...openings }: OpeningDependencies & { meter: RateLimiter },
): void {
  api.addHook('onClose', () => openings.timelock.close());

  operation(api, ROUTES.getOpening, async ({ caller, params, reply }) => {
    void reply.header('Cache-Control', 'no-store');
    const count = () => meter.take(caller.userId, 1);
    return makeOpening(openings, caller, idOf(params.id, NO_ETCH), count);
  });
}

interface VerificationDependencies {
  verifier: EtchVerifier;
  reads: ChainReads;
  evidence: EvidenceDependencies;
}

export function mountVerification(
  api: FastifyInstance,
  { verifier, reads, evidence }: VerificationDependencies,
): void {
  operation(api, ROUTES.getReceipt, async ({ params, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    return verifier.receipt(idOf(params.id, NO_ETCH));
  });

  // This costs as much work as a chain read.
  operation(api, ROUTES.getEvidence, async ({ params, request, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    await reads.take(request.ip, 1, 0);
    return makeEvidence(await verifier.shown(idOf(params.id, NO_ETCH)), evidence);
  });

  operation(api, ROUTES.verifyEtch, async ({ params, request, reply }) => {
    void reply.header('Cache-Control', 'no-cache');
    return verifier.verify(idOf(params.id, NO_ETCH), reads.readerFor(request.ip));
  });
}

interface BeaconRouteDependencies {
  beacons: Beacons;
  reads: ChainReads;
}

/** Requests to relays count as chain reads; a cached round is free. */
export function mountBeacons(api: FastifyInstance, { beacons, reads }: BeaconRouteDependencies): void {
  operation(api, ROUTES.getBeacon, async ({ params, request, reply }) => {
    const beacon = await beacons.read(params.chain, params.round, () => reads.take(request.ip, 1, 0));
    void reply.header('Cache-Control', 'public, max-age=31536000, immutable');
    return beacon;
  });
}
