import { RateLimited } from '../platform/failure.ts';
import type { Caller } from '../identity/caller.ts';
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
