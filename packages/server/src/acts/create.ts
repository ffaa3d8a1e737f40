// Creates etches. Requests that arrive together share a commit, and a repeated Idempotency-Key returns the first
// etch.
import { CreateEtchBody } from '@svc/contract';
import type { EtchPromise } from '@svc/contract/types';
import { etchSignedString, isDescriptionTakenDown } from '@svc/protocol';
import { etchesPerDay } from '../accounts/allowance-store.ts';
import { compareHidden } from '../accounts/guess-store.ts';
import { type BoundKey, type KeyedRequest, KeyUsed, requestText } from '../accounts/idempotency-store.ts';
import { type EtchRow, statusAt } from '../etches/row.ts';
import { coalesce } from '../platform/flow/coalesce.ts';
import type { Caller } from '../identity/caller.ts';
import {
  type CreateDependencies,
  type Creation,
  type EtchRequest,
  makeCode,
  type NewEtch,
  type CreateOutcome,
} from './creation.ts';
import { createBatch } from './create-store.ts';
import { badField } from '../platform/failure.ts';
import { verifyByRegisteredKey } from '../identity/signed-request.ts';

export interface EtchCreator {
  /**
   * Durable when it resolves.
   * @throws Failure; DatabaseUnavailable (safe to retry with the same Idempotency-Key)
   */
  create(caller: Caller, request: EtchRequest, idempotencyKey?: string): Promise<CreateAnswer>;
}

interface CreateAnswer {
  etch: EtchRow;
  replay: boolean;
  promise: EtchPromise | null;
}

/**
 * A commit costs as much as several etches, so a batch waits shortly for more. A full queue drains in about a
 * second.
 */
const BATCHES = {
  slots: 2,
  most: 128,
  parallelFrom: 64,
  gathers: true,
  queue: 2_000,
  what: 'etches are made',
};

export function createEtchCreator(dependencies: CreateDependencies, drawCode = makeCode): EtchCreator {
  const inBatch = coalesce<Creation, CreateOutcome>(
    (creations) => createBatch(creations, dependencies, drawCode),
    BATCHES,
  );
  return {
    async create(caller, request, idempotencyKey) {
      if (request.signature !== undefined) checkSignature(caller, request.content, request.signature);
      const creation: Creation = {
        caller,
        request,
        perDay: etchesPerDay(caller, dependencies.limits),
        idempotency: idempotencyKey === undefined ? undefined : keyRequest(caller, request, idempotencyKey),
      };
      const outcome = await inBatch(creation).catch((error: unknown) => {
        if (!(error instanceof KeyUsed) || !error.bound) throw error;
        return compareAgain(dependencies, creation.idempotency!, error.bound);
      });
      if ('etch' in outcome) {
        return { etch: asRow(outcome.etch, caller), replay: false, promise: outcome.promise };
      }
      return replay(dependencies, request, outcome.id);
    },
  };
}

/** The order of stored fingerprints. */
const FIRST = [
  'content',
  'description',
  'category_id',
  'mode',
  'reveal_at',
  'signature',
  'challenge_id',
] as const;

function keyRequest({ userId }: Caller, request: EtchRequest, key: string): KeyedRequest {
  const { signature } = request;
  const spelled = signature === undefined ? request : { ...request, signature: signature.toLowerCase() };
  return { userId, key, endpoint: 'POST /etches', request: requestText(CreateEtchBody, FIRST, spelled) };
}

/** Each comparison tests a guess of a hidden text, so it is slow. @throws KeyUsed, RateLimited */
async function compareAgain(
  dependencies: CreateDependencies,
  keyed: KeyedRequest,
  bound: BoundKey,
): Promise<CreateOutcome> {
  const { clock, keyring, reader } = dependencies;
  const etch = await reader.get(bound.record_id);
  const hidden = statusAt(etch, clock.now()) !== 'revealed';
  if (hidden) await compareHidden(dependencies, keyed, bound);
  else if (!keyring.verifyMac('fingerprint', keyed.request, bound.fingerprint)) throw new KeyUsed(bound);
  return { id: bound.record_id };
}

/** Promises the equal content again, unless the etch was retracted or taken down. */
async function replay({ reader, promises }: CreateDependencies, { content }: EtchRequest, etchId: string) {
  const etch = await reader.get(etchId);
  if (etch.status === 'retracted' || isDescriptionTakenDown(etch.description)) {
    return { etch, replay: true, promise: null };
  }
  const [promise] = await promises.give([{ etch, content }]);
  return { etch, replay: true, promise: promise! };
}

const NOT_YET = {
  retracted_at: null,
  taken_down: null,
  commitment: null,
  tombstone: null,
  failing_since: null,
};

const asRow = (etch: NewEtch, caller: Caller): EtchRow => Object.assign(etch, caller.author, NOT_YET);

function checkSignature(caller: Caller, content: string, signature: string): void {
  if (caller.publicKey === null) {
    throw badField('signature', 'needs an account with an Ed25519 key: this one has none');
  }
  const message = etchSignedString(caller.userId, content);
  if (!verifyByRegisteredKey(caller.publicKey, message, Buffer.from(signature, 'hex'))) {
    throw badField(
      'signature',
      "must be the agent key's Ed25519 signature over svc-sig:v1|<user_id>|<sha256(content)>",
    );
  }
}
