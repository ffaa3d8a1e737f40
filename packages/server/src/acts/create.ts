import { randomUUID } from 'node:crypto';
import type { EtchPromise } from '@svc/contract/types';
import { isTakenDown } from '@svc/protocol';
import { canonicalString } from '@svc/protocol';
import { etchesPerDay } from '../accounts/allowance.ts';
import { compareHidden } from '../accounts/guesses.ts';
import { type BoundKey, type KeyedRequest, KeyUsed } from '../accounts/idempotency.ts';
import { toTime } from '../db/clock.ts';
import { DatabaseUnavailable, UniqueViolation } from '../db/db.ts';
import { retryOnUniqueViolation } from '../db/retry.ts';
import type { Promises } from '../etches/promise.ts';
import type { EtchRow } from '../etches/row.ts';
import { closeParts } from '../etches/secret.ts';
import { statusAt } from '../etches/status.ts';
import { coalesce } from '../flow/coalesce.ts';
import type { Caller } from '../identity/caller.ts';
import { drawRandom } from '../secrets/random.ts';
import { sha256 } from '../secrets/sha256.ts';
import { makeCode } from './code.ts';
import { writeCreations } from './create-batch.ts';
import { CODES, findFreeCodes, type NewEtch } from './create-store.ts';
import type { CreateDependencies, Creation, EtchRequest, MakeEtch, Outcome } from './creation.ts';
import { checkSignature } from './signature.ts';

export interface EtchCreator {
  /**
   * Durable when it resolves. @throws Failure bad_request, conflict, rate_limited; DatabaseUnavailable, when a
   * retry with the same Idempotency-Key is safe
   */
  create(
    caller: Caller,
    request: EtchRequest,
    idempotencyKey?: string,
  ): Promise<{ etch: EtchRow; replay: boolean; promise: EtchPromise | null }>;
}

/** Rolls back: what was refused leaves no trace, not even a full bucket. */
class NothingCreated extends Error {
  override name = 'NothingCreated';
  readonly outcomes: readonly (Outcome | Error)[];
  constructor(outcomes: readonly (Outcome | Error)[]) {
    super('only refusals and replays');
    this.outcomes = outcomes;
  }
}

/**
 * A second transaction beside one under way keeps the disk busy; for few creations it would only split them. A commit
 * costs as much as several etches, so it is worth a short wait for company. Of those that wait, the last is written in about
 * a second.
 */
const SHARED_COMMITS = {
  slots: 2,
  most: 128,
  beside: 64,
  gathers: true,
  queue: 2_000,
  what: 'etches are made',
};

/** Concurrent creations share a commit; one that fails does so alone. `drawCode` gives etches their codes, taken or not. */
export function createEtchCreator(dependencies: CreateDependencies, drawCode = makeCode): EtchCreator {
  const { db, limits, reader, promises } = dependencies;
  const writeOnce = async (
    creations: readonly Creation[],
    { asksForCodes }: { asksForCodes: boolean },
  ): Promise<readonly (Outcome | Error)[]> => {
    try {
      return await db.tx(
        async (tx) => {
          const codes = asksForCodes ? await findFreeCodes(tx, creations.length, drawCode) : [];
          const make = makeEtch(dependencies, () => codes.pop() ?? drawCode());
          const outcomes = await writeCreations(tx, creations, dependencies, make);
          if (outcomes.some((outcome) => 'etch' in outcome)) return outcomes;
          throw new NothingCreated(outcomes);
        },
        { keepPlans: true },
      );
    } catch (error) {
      if (error instanceof NothingCreated) return error.outcomes;
      throw error;
    }
  };

  /** Few codes are taken, so none is looked up; where one was taken, all go once more with codes that were looked up. */
  const write = async (creations: readonly Creation[]): Promise<readonly (Outcome | Error)[]> => {
    try {
      return await writeOnce(creations, { asksForCodes: false });
    } catch (error) {
      if (!(error instanceof UniqueViolation) || error.constraint !== CODES) throw error;
      return writeOnce(creations, { asksForCodes: true });
    }
  };

  const shared = coalesce<Creation, Outcome>(async (creations) => {
    try {
      return await write(creations);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      if (creations.length === 1 && !(error instanceof UniqueViolation)) throw error;
      // Something in this company is refused by the database: each goes alone, so that only the culprit fails. A key
      // bound meanwhile by the other endpoint, or a code that is taken after all, is settled by going again.
      return Promise.all(creations.map((creation) => alone(creation)));
    }
  }, SHARED_COMMITS);

  const alone = async (creation: Creation): Promise<Outcome | Error> => {
    try {
      return (await retryOnUniqueViolation(() => write([creation])))[0]!;
    } catch (error) {
      return error instanceof Error ? error : new Error('creation failed', { cause: error });
    }
  };

  return {
    async create(caller, request, idempotencyKey) {
      if (request.signature !== undefined) checkSignature(caller, request.content, request.signature);
      const idempotency: KeyedRequest | undefined =
        idempotencyKey === undefined
          ? undefined
          : {
              userId: caller.userId,
              key: idempotencyKey,
              endpoint: 'POST /etches',
              request: fingerprintText(request),
            };
      const outcome = await shared({
        caller,
        request,
        perDay: etchesPerDay(caller, limits),
        idempotency,
      }).catch((error: unknown) => {
        if (!(error instanceof KeyUsed) || !error.bound || !idempotency) throw error;
        return compareAgain(dependencies, idempotency, error.bound);
      });
      if ('etch' in outcome)
        return { etch: asRow(outcome.etch, caller), replay: false, promise: outcome.promise! };
      const etch = await reader.get(outcome.id);
      return { etch, replay: true, promise: await promiseAgain(etch, request, promises) };
    },
  };
}

/**
 * Another request than the key stands for, as far as was compared. Of a public etch that is all; of a hidden one each such
 * answer confirms that a guess was wrong, so it is made dear. @throws KeyUsed, RateLimited
 */
async function compareAgain(
  { db, clock, keyring, reader }: CreateDependencies,
  keyed: KeyedRequest,
  bound: BoundKey,
): Promise<Outcome> {
  const etch = await reader.get(bound.record_id);
  const hidden = statusAt(etch, clock.now()) !== 'revealed';
  if (hidden) await compareHidden({ db, clock, keyring }, keyed, bound);
  else if (!keyring.verifyMac('fingerprint', keyed.request, bound.fingerprint)) throw new KeyUsed(bound);
  return { id: bound.record_id };
}

/**
 * A replay's promise has a new nonce and a signature of its own. Its request has the fingerprint of the first one, so its content
 * is what was accepted. After a retraction the service has no content to promise, and after a takedown of the description not the
 * words that were promised.
 */
async function promiseAgain(
  etch: EtchRow,
  { content }: EtchRequest,
  promises: Promises,
): Promise<EtchPromise | null> {
  if (etch.status === 'retracted' || isTakenDown(etch.description)) return null;
  return (await promises.give([{ etch, content }]))[0]!;
}

/**
 * The known fields in a fixed order: the same request however its JSON was spelled
 * (docs/specification.md#idempotency).
 */
function fingerprintText(request: EtchRequest): string {
  const { content, description, category_id, mode, reveal_at, signature, challenge_id } = request;
  return JSON.stringify([
    content,
    description ?? null,
    category_id,
    mode,
    reveal_at ?? null,
    signature?.toLowerCase() ?? null,
    challenge_id ?? null,
  ]);
}

const NOT_YET = {
  retracted_at: null,
  taken_down: null,
  commitment: null,
  tombstone: null,
  failing_since: null,
};

/** A new etch as a read would find it: the author is the caller, nothing is anchored yet. */
function asRow(etch: NewEtch, caller: Caller): EtchRow {
  // In its place: a copy of so many fields takes as long as hashing the etch.
  return Object.assign(etch, caller.author, NOT_YET);
}

/** Clock, salt and hash are taken inside the transaction, as late as possible. */
function makeEtch({ keyring }: CreateDependencies, drawCode: () => string): MakeEtch {
  return ({ caller, request }, terms, now) => {
    const id = randomUUID();
    const createdAt = toTime(now);
    const salt = drawRandom(32);
    const canonical = canonicalString({
      userId: caller.userId,
      createdAt,
      salt: salt.toString('hex'),
      content: request.content,
    });
    const signature = request.signature === undefined ? null : Buffer.from(request.signature, 'hex');
    const parts = {
      content: request.content,
      salt,
      signature,
      signature_key: signature && caller.publicKey,
    };
    const isSealed = request.mode === 'delayed';
    return {
      id,
      user_id: caller.userId,
      code: drawCode(),
      mode: request.mode,
      status: isSealed ? 'sealed' : 'revealed',
      hash: sha256(canonical),
      ...terms,
      created_at: createdAt,
      revealed_at: isSealed ? null : createdAt,
      sealed: isSealed ? closeParts(keyring, id, parts) : null,
      ...(isSealed ? { content: null, salt: null, signature: null, signature_key: null } : parts),
    };
  };
}
