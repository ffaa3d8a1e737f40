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
  /** waits for a search of the chain (recovery/look-back.ts) */
  catchingUp: boolean;
}

export async function anchoringStatus(db: Queryable): Promise<AnchoringStatus> {
  const [row] = await db.query<AnchoringStatus>(sql`
    select
      (select count(*) from anchor_job) +
        (select coalesce(sum(tree_size), 0)::bigint from batch where anchored_at is null) as pending,
      (select count(*) from anchor_job where halted is not null) as halted,
      extract(epoch from clock_timestamp() - least(
        (select min(created_at) from anchor_job where halted is null),
        (select min(staged_at) from anchor_tx where state not in ('FINAL', 'LOST'))))::float8 as "oldestPendingSeconds",
      (select count(*) from anchor_tx where state not in ('FINAL', 'LOST')) as "openTransactions",
      (select count(*) from anchor_tx where state = 'MINED') as "minedTransactions",
      (select max(block_number) from anchor_tx where state = 'MINED') as "minedIn",
      (select coalesce(sum(unplaced), 0)::bigint from anchor_tx where state <> 'LOST') as unplaced,
      (select anchored_at from batch where anchored_at is not null order by anchored_at desc, id desc limit 1) as "lastAnchoredAt",
      failing_since as "failingSince", failure, catching_up as "catchingUp"
    from chain_state`);
  const { oldestPendingSeconds: oldest } = row!;
  // A fraction would reveal to the millisecond when a sealed etch was made.
  return { ...row!, oldestPendingSeconds: oldest === null ? null : Math.max(0, Math.floor(oldest)) };
}
