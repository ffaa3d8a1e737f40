import sql from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';

export interface AnchoringStatus {
  pending: number;
  halted: number;
  oldestPendingSeconds: number | null;
  openTransactions: number;
  minedTransactions: number;
  minedIn: number | null;
  /** attested leaves that a restored database lacks */
  unplaced: number;
  lastAnchoredAt: string | null;
  failingSince: string | null;
  failure: string | null;
}

export async function anchoringStatus(db: Queryable): Promise<AnchoringStatus> {
  const [row] = await db.query<{
    queued: number;
    halted: number;
    staged: number;
    oldest: number | null;
    open: number;
    mined: number;
    mined_in: number | null;
    unplaced: number;
    last: string | null;
    failing_since: string | null;
    failure: string | null;
  }>(sql`
    select
      (select count(*) from anchor_job) as queued,
      (select count(*) from anchor_job where halted is not null) as halted,
      (select coalesce(sum(tree_size), 0)::bigint from batch where anchored_at is null) as staged,
      extract(epoch from clock_timestamp() - least(
        (select min(created_at) from anchor_job where halted is null),
        (select min(staged_at) from anchor_tx where state not in ('FINAL', 'LOST'))))::float8 as oldest,
      (select count(*) from anchor_tx where state not in ('FINAL', 'LOST')) as open,
      (select count(*) from anchor_tx where state = 'MINED') as mined,
      (select max(block_number) from anchor_tx where state = 'MINED') as mined_in,
      (select coalesce(sum(unplaced), 0)::bigint from anchor_tx where state <> 'LOST') as unplaced,
      (select anchored_at from batch where anchored_at is not null order by anchored_at desc, id desc limit 1) as last,
      failing_since, failure
    from chain_state`);
  const found = row!;
  return {
    pending: found.queued + found.staged,
    halted: found.halted,
    // A fraction would reveal to the millisecond when a sealed etch was made.
    oldestPendingSeconds: found.oldest === null ? null : Math.max(0, Math.floor(found.oldest)),
    openTransactions: found.open,
    minedTransactions: found.mined,
    minedIn: found.mined_in,
    unplaced: found.unplaced,
    lastAnchoredAt: found.last,
    failingSince: found.failing_since,
    failure: found.failure,
  };
}
