import sql from 'sql-template-tag';
import type { Tx } from '../db/db.ts';
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

export async function insertBoundKey(tx: Tx, bound: BoundKey): Promise<void> {
  await tx.query(sql`
    insert into idempotency (user_id, key, endpoint, record_id, fingerprint)
    values (${bound.user_id}, ${bound.key}, ${bound.endpoint}, ${bound.record_id}, ${bound.fingerprint})`);
}
