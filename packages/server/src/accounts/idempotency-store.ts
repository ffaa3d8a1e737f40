import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';
import { toTime } from '../db/clock.ts';
import { prepared } from '../db/prepared.ts';
import { type BoundKey, type KeyedRequest, keyName } from './idempotency.ts';

const HOUR_MS = 3_600_000;

/** Runs after the buckets are locked, so it sees earlier commits of the same endpoint. */
export async function findBoundKeys(
  tx: Tx,
  keys: readonly Pick<KeyedRequest, 'userId' | 'key'>[],
  now: number,
): Promise<Map<string, BoundKey>> {
  if (keys.length === 0) return new Map();
  // `limit 1` forces the index.
  const find = sql`
    select i.user_id, i.key, i.endpoint, i.record_id, i.fingerprint,
      (select count(*)::int from idempotency_guess g
        where g.user_id = i.user_id and g.key = i.key and g.tried_at > ${toTime(now - HOUR_MS)}) as guesses
    from unnest(${keys.map(({ userId }) => userId)}::uuid[], ${keys.map(({ key }) => key)}::text[]) as v (user_id, key)
    cross join lateral (select * from idempotency where user_id = v.user_id and key = v.key limit 1) i`;
  const rows = await tx.query<BoundKey>(prepared(find));
  return new Map(rows.map((row) => [keyName(row.user_id, row.key), row]));
}

export const insertBoundKey = (tx: Tx, bound: BoundKey) =>
  tx.query(sql`
    insert into idempotency (user_id, key, endpoint, record_id, fingerprint)
    values (${bound.user_id}, ${bound.key}, ${bound.endpoint}, ${bound.record_id}, ${bound.fingerprint})`);

/** Locks the key. @returns times since `since`, oldest first */
export async function lockGuesses(
  tx: Tx,
  { user_id, key }: Pick<BoundKey, 'user_id' | 'key'>,
  since: string,
): Promise<string[]> {
  await tx.query(sql`select from idempotency where user_id = ${user_id} and key = ${key} for update`);
  return tx.column<string>(sql`
    select tried_at from idempotency_guess
    where user_id = ${user_id} and key = ${key} and tried_at > ${since} order by tried_at`);
}

export const insertGuess = (tx: Tx, { user_id, key }: BoundKey, at: string) =>
  tx.query(sql`insert into idempotency_guess (user_id, key, tried_at) values (${user_id}, ${key}, ${at})`);

export const forgetGuesses = (db: Queryable, before: string) =>
  db.query(sql`delete from idempotency_guess where tried_at < ${before}`);

export const findFingerprints = (db: Queryable, userId: string, etchId: string) =>
  db.query<Pick<BoundKey, 'user_id' | 'key' | 'fingerprint'>>(sql`
    select user_id, key, fingerprint from idempotency
    where user_id = ${userId} and record_id = ${etchId} and octet_length(fingerprint) = 32`);

export const findLeftFingerprints = (db: Queryable, most: number) =>
  db.query<Pick<BoundKey, 'user_id' | 'key' | 'fingerprint'>>(sql`
    select i.user_id, i.key, i.fingerprint from etch e
    join idempotency i on i.user_id = e.user_id and i.record_id = e.id
    where e.retracted_at is not null and octet_length(i.fingerprint) = 32 limit ${most}`);

export const replaceFingerprint = (
  db: Queryable,
  { user_id, key, fingerprint }: Pick<BoundKey, 'user_id' | 'key' | 'fingerprint'>,
  hard: Buffer,
) =>
  db.query(sql`
    update idempotency set fingerprint = ${hard}
    where user_id = ${user_id} and key = ${key} and fingerprint = ${fingerprint}`);
