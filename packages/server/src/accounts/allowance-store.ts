import sql from 'sql-template-tag';
import { toTime } from '../db/clock.ts';
import type { Tx } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import type { Bucket } from './allowance.ts';

export type AllowanceKind = 'etch' | 'challenge';

interface BucketRow {
  user_id: string;
  spent: number;
  updated_at: string;
}

/** Locks in the order of the ids, to prevent deadlocks. */
export async function lockBuckets(tx: Tx, kind: AllowanceKind, accounts: Iterable<string>, now: number) {
  const users = [...new Set(accounts)].sort();
  const lock = sql`
    select user_id, spent, updated_at from allowance where kind = ${kind} and user_id = any(${users}::uuid[])
    order by user_id for update`;
  let rows = await tx.query<BucketRow>(prepared(lock));
  if (rows.length < users.length) {
    // Accounts without a bucket get a full one.
    await tx.query(sql`
      insert into allowance (user_id, kind, spent, updated_at)
      select u, ${kind}, 0, ${toTime(now)} from unnest(${users}::uuid[]) as u order by u on conflict do nothing`);
    rows = await tx.query<BucketRow>(lock);
  }
  return new Map(rows.map((row) => [row.user_id, { spent: row.spent, at: Date.parse(row.updated_at) }]));
}

export const writeBucket = (tx: Tx, kind: AllowanceKind, userId: string, bucket: Bucket) =>
  tx.query(sql`
    update allowance set spent = ${bucket.spent}, updated_at = ${toTime(bucket.at)}
    where user_id = ${userId} and kind = ${kind}`);
