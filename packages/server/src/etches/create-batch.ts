import { type Bucket, refill, secondsUntilFull, secondsUntilOne } from '../accounts/allowance.ts';
import type { Tx } from '../db/db.ts';
import { badField, Failure, RateLimited } from '../failure.ts';
import type { Creation, CreateDependencies } from './create.ts';
import { CREATE_ETCH_ENDPOINT } from './create.ts';
import {
  findIdempotent,
  insertEtches,
  lockBuckets,
  type NewEtch,
  type NewKey,
  type StoredKey,
} from './create-store.ts';

/** The record a request made, or made earlier (a replay). */
export interface Outcome {
  id: string;
  /** absent on a replay */
  etch?: NewEtch;
}

/**
 * Decides and writes creations in one transaction: the accounts' buckets are locked first (in one order, so
 * that transactions cannot wait for each other), then idempotency, then what depends on the clock, then the rows.
 */
export async function writeCreations(
  tx: Tx,
  creations: readonly Creation[],
  dependencies: CreateDependencies,
  makeEtch: (creation: Creation) => NewEtch,
): Promise<(Outcome | Error)[]> {
  const now = dependencies.clock.now();
  const buckets = await lockBuckets(tx, creations, now);
  const known = await findIdempotent(tx, creations);
  const round = new Round(dependencies, makeEtch, buckets, known, now);
  const outcomes = creations.map((creation) => round.decide(creation));
  if (round.etches.length > 0) await insertEtches(tx, round.etches, round.keys, round.buckets);
  return outcomes;
}

/** One pass over the creations of a transaction; what one takes or binds, the next one sees. */
class Round {
  readonly etches: NewEtch[] = [];
  readonly keys: NewKey[] = [];
  readonly buckets: Map<string, Bucket>;
  private readonly dependencies: CreateDependencies;
  private readonly makeEtch: (creation: Creation) => NewEtch;
  private readonly known: Map<string, StoredKey>;
  private readonly now: number;

  constructor(
    dependencies: CreateDependencies,
    makeEtch: (creation: Creation) => NewEtch,
    buckets: Map<string, Bucket>,
    known: Map<string, StoredKey>,
    now: number,
  ) {
    this.dependencies = dependencies;
    this.makeEtch = makeEtch;
    this.buckets = buckets;
    this.known = known;
    this.now = now;
  }

  decide(creation: Creation): Outcome | Error {
    const stored =
      creation.idempotency && this.known.get(keyName(creation.caller.userId, creation.idempotency.key));
    if (stored) return this.replay(creation, stored);
    const refusal = this.refusal(creation);
    if (refusal) return refusal;
    const etch = this.makeEtch(creation);
    this.etches.push(etch);
    if (creation.idempotency) this.bind(creation, etch.id);
    return { id: etch.id, etch };
  }

  private replay(creation: Creation, stored: StoredKey): Outcome | Error {
    const same =
      stored.endpoint === CREATE_ETCH_ENDPOINT &&
      this.dependencies.keyring.verifyMac('fingerprint', creation.idempotency!.request, stored.fingerprint);
    if (same) return { id: stored.record_id };
    return new Failure('conflict', 'this Idempotency-Key was used for a different request: send a new key');
  }

  private refusal({ caller, request, perDay }: Creation): Error | undefined {
    const lead = this.dependencies.limits.minRevealLeadSeconds;
    if (request.reveal_at !== undefined && Date.parse(request.reveal_at) - this.now < lead * 1000) {
      return badField('reveal_at', `must lie at least ${lead} seconds ahead`);
    }
    const bucket = refill(this.buckets.get(caller.userId), perDay, this.now);
    if (bucket.tokens < 1) {
      return new RateLimited(
        `the daily allowance of ${perDay} etches is used up`,
        perDay,
        secondsUntilOne(bucket, perDay),
        secondsUntilFull(bucket, perDay),
      );
    }
    this.buckets.set(caller.userId, { tokens: bucket.tokens - 1, at: bucket.at });
    return undefined;
  }

  private bind(creation: Creation, recordId: string): void {
    const { key, request } = creation.idempotency!;
    const entry: NewKey = {
      user_id: creation.caller.userId,
      key,
      endpoint: CREATE_ETCH_ENDPOINT,
      record_id: recordId,
      fingerprint: this.dependencies.keyring.mac('fingerprint', request),
    };
    this.keys.push(entry);
    this.known.set(keyName(entry.user_id, key), entry);
  }
}

function keyName(userId: string, key: string): string {
  return `${userId}|${key}`;
}
