// Blind seals as the pages count them: sealed, although their `status` is `revealed`.
import type { AccountCounts } from '@svc/contract';
import { readBlindSeal } from '@svc/protocol/conventions';
import type { DrandChain } from '@svc/protocol/timelock';
import sql from 'sql-template-tag';
import { prepared, type Queryable } from '../db/db.ts';
import { mapInTimeSlices } from '../platform/flow/time-slices.ts';

interface BlindSeal {
  user_id: string;
  /** YYYY-MM-DD */
  day: string;
}

/** Older blind seals count as public, so that a request reads at most 2 MB. */
const MOST = 1_000;

/** The newest blind seals of these accounts. Only its whole text shows whether an etch is one. */
export async function listBlindSeals(
  db: Queryable,
  userIds: readonly string[],
  drand: DrandChain | undefined,
): Promise<BlindSeal[]> {
  if (drand === undefined || userIds.length === 0) return [];
  const rows = await db.query<{ user_id: string; content: string; created_at: string }>(
    prepared(sql`
      select user_id, content, created_at from etch
      where user_id = any(${userIds}::uuid[]) and content like 'svc-tlock:v1|%'
      order by created_at desc limit ${MOST}`),
  );
  const found = await mapInTimeSlices(
    rows,
    ({ content }) => content.length,
    ({ user_id, content, created_at }) =>
      readBlindSeal(content, created_at, drand) && { user_id, day: created_at.slice(0, 10) },
  );
  return found.filter((seal) => seal !== undefined);
}

/** Moves blind seals from the public etches to the sealed ones. */
export function withBlindSeals(counts: AccountCounts, blind: number): AccountCounts {
  // The seals may be read a moment after the counts.
  const moved = Math.min(blind, counts.revealed);
  return {
    ...counts,
    revealed: counts.revealed - moved,
    sealed_pending_reveal: counts.sealed_pending_reveal + moved,
  };
}

/** The same, for each day. */
export function daysWithBlindSeals<Day extends { day: string; revealed: number; sealed: number }>(
  days: readonly Day[],
  seals: readonly BlindSeal[],
): Day[] {
  return days.map((one) => {
    const moved = Math.min(seals.filter(({ day }) => day === one.day).length, one.revealed);
    return { ...one, revealed: one.revealed - moved, sealed: one.sealed + moved };
  });
}
