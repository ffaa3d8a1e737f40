import { randomUUID } from 'node:crypto';
import { CreateChallengeBody } from '@svc/contract';
import sql from 'sql-template-tag';
import { lockBuckets, takeOne, writeBucket } from '../accounts/allowance-store.ts';
import {
  bindKey,
  findBoundKeys,
  insertBoundKey,
  type KeyedRequest,
  keyName,
  recordOf,
  requestText,
} from '../accounts/idempotency-store.ts';
import { findChallenges, type NewChallenge } from '../challenges/store.ts';
import { toTime } from '../db/clock.ts';
import { retryOnUniqueViolation, type Tx } from '../db/db.ts';
import { queueClosing } from '../events/event-store.ts';
import type { Caller } from '../identity/caller.ts';
import { indexChallenges } from '../search-index/names-store.ts';
import { type CreateDependencies, leadRefusal, makeCode } from './creation.ts';

export type ChallengeRequest = Pick<NewChallenge, 'question' | 'category_id' | 'reveal_at'>;

type CreateChallengeDependencies = Pick<CreateDependencies, 'db' | 'clock' | 'keyring' | 'limits'>;

/** The order of stored fingerprints. */
const FIRST = ['question', 'category_id', 'reveal_at'] as const;

/**
 * Durable when it resolves.
 * @throws Failure; DatabaseUnavailable (safe to retry with the same Idempotency-Key)
 */
export async function createChallenge(
  dependencies: CreateChallengeDependencies,
  caller: Caller,
  request: ChallengeRequest,
  idempotencyKey?: string,
): Promise<{ challenge: NewChallenge; replay: boolean }> {
  const keyed: KeyedRequest | undefined =
    idempotencyKey === undefined
      ? undefined
      : {
          userId: caller.userId,
          key: idempotencyKey,
          endpoint: 'POST /challenges',
          request: requestText(CreateChallengeBody, FIRST, request),
        };
  // The code was taken, or the key was just bound.
  return retryOnUniqueViolation(() =>
    dependencies.db.tx((tx) => write(tx, dependencies, caller, request, keyed)),
  );
}

async function write(
  tx: Tx,
  { clock, keyring, limits }: CreateChallengeDependencies,
  caller: Caller,
  request: ChallengeRequest,
  keyed: KeyedRequest | undefined,
): Promise<{ challenge: NewChallenge; replay: boolean }> {
  const { userId } = caller;
  const perDay = limits.challengesPerDay;
  const buckets = await lockBuckets(tx, 'challenge', [userId], clock.now());
  if (keyed) {
    const bound = (await findBoundKeys(tx, [keyed], clock.now())).get(keyName(userId, keyed.key));
    if (bound) {
      const record = recordOf(keyring, keyed, bound);
      if (record instanceof Error) throw record;
      const [challenge] = await findChallenges(tx, [record]);
      return { challenge: challenge!, replay: true };
    }
  }

  const now = clock.now();
  const refusal = leadRefusal(request.reveal_at, now, limits.minRevealLeadSeconds);
  if (refusal) throw refusal;
  const bucket = takeOne(buckets.get(userId), perDay, now, 'challenges');
  if (bucket instanceof Error) throw bucket;

  const challenge: NewChallenge = {
    id: randomUUID(),
    code: makeCode(),
    ...request,
    creator_id: userId,
    created_at: toTime(now),
  };
  const { id, code, question, category_id, created_at, reveal_at } = challenge;
  await tx.query(sql`
    insert into challenge (id, code, question, category_id, creator_id, created_at, reveal_at)
    values (${id}, ${code}, ${question}, ${category_id}, ${userId}, ${created_at}, ${reveal_at})`);
  await tx.query(sql`
    insert into challenge_tally (id, category_id, created_at, reveal_at)
    values (${id}, ${category_id}, ${created_at}, ${reveal_at})`);
  await indexChallenges(tx, [challenge]);
  await queueClosing(tx, id, reveal_at);
  if (keyed) await insertBoundKey(tx, bindKey(keyring, keyed, id));
  await writeBucket(tx, 'challenge', userId, bucket);
  return { challenge, replay: false };
}
