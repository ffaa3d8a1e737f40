// Token buckets of etches and challenges by account. A cost is spent in the transaction that makes the record.
import sql from 'sql-template-tag';
import { toTime } from '../db/clock.ts';
import { prepared, type Queryable, type Tx } from '../db/db.ts';
import type { Caller } from '../identity/caller.ts';
import { RateLimited } from '../platform/failure.ts';
import type { Limits } from '../settings/config.ts';

/** A change of tier counts at once. */
export interface Bucket {
  spent: number;
  at: number;
}

const DAY_MS = 86_400_000;

/** Refills `perDay / 24` tokens an hour (docs/specification.md#allowances). */
export function refill(bucket: Bucket | undefined, perDay: number, now: number): Bucket {
  if (!bucket) return { spent: 0, at: now };
  const elapsed = Math.max(0, now - bucket.at);
  return { spent: Math.max(0, bucket.spent - (elapsed * perDay) / DAY_MS), at: Math.max(now, bucket.at) };
}

export const remaining = (bucket: Bucket, perDay: number): number => Math.max(0, perDay - bucket.spent);

function secondsUntilOne(bucket: Bucket, perDay: number): number {
  if (perDay <= 0) return DAY_MS / 1000;
  return Math.max(1, Math.ceil(((1 + bucket.spent - perDay) * DAY_MS) / perDay / 1000));
}

function secondsUntilFull(bucket: Bucket, perDay: number): number {
  if (perDay <= 0) return DAY_MS / 1000;
  return Math.ceil((bucket.spent * DAY_MS) / perDay / 1000);
}

export function takeOne(
  stored: Bucket | undefined,
  perDay: number,
  now: number,
  what: string,
): Bucket | RateLimited {
  const bucket = refill(stored, perDay, now);
  if (remaining(bucket, perDay) >= 1) return { spent: bucket.spent + 1, at: bucket.at };
  return new RateLimited(
    `the daily allowance of ${perDay} ${what} is used up`,
    perDay,
    secondsUntilOne(bucket, perDay),
    secondsUntilFull(bucket, perDay),
  );
}

export function etchesPerDay(caller: Pick<Caller, 'kind' | 'verified'>, limits: Limits): number {
  if (caller.verified) return limits.etchesVerified;
  return caller.kind === 'agent' ? limits.etchesKeypair : limits.etchesHuman;
}

type AllowanceKind = 'etch' | 'challenge';

interface BucketRow {
  user_id: string;
  spent: number;
  updated_at: string;
}

const toBucket = ({ spent, updated_at }: BucketRow): Bucket => ({ spent, at: Date.parse(updated_at) });

export async function readBucket(db: Queryable, userId: string, kind: AllowanceKind) {
  const row = await db.first<BucketRow>(
    sql`select user_id, spent, updated_at from allowance where user_id = ${userId} and kind = ${kind}`,
  );
  return row && toBucket(row);
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
  return new Map(rows.map((row) => [row.user_id, toBucket(row)]));
}

export const writeBucket = (tx: Tx, kind: AllowanceKind, userId: string, bucket: Bucket) =>
  tx.query(sql`
    update allowance set spent = ${bucket.spent}, updated_at = ${toTime(bucket.at)}
    where user_id = ${userId} and kind = ${kind}`);
