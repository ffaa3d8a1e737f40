import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

/** What is counted in the tables, all in one question. */
export interface Counts {
  /** anchored trees (of the single scheme: etches) by kind */
  commitmentBatches: number;
  retractionBatches: number;
  /** final transactions */
  transactions: number;
  /** sealed texts that no key opens */
  unreadable: number;
  forgotten: Forgotten;
}

/** Retractions that the chain holds and the database had forgotten. */
export interface Forgotten {
  /** etches that are withheld for one */
  withheld: number;
  /** tombstones that fit no etch as far as can be told */
  unmatched: number;
}

export async function readForgotten(db: Queryable): Promise<Forgotten> {
  const [row] = await db.query<Forgotten>(sql`
    select (select count(*) from withheld) as withheld,
      (select count(*) from chain_tombstone t where t.state = 'unmatched'
        and not exists (select from batch b where b.root = t.root and b.kind = 1)) as unmatched`);
  return row!;
}

export async function readCounts(db: Queryable): Promise<Counts> {
  const [row] = await db.query<
    Record<'commitments' | 'retractions' | 'transactions' | 'unreadable', number>
  >(sql`
    select
      count(*) filter (where kind = 0) as commitments,
      count(*) filter (where kind = 1) as retractions,
      (select count(*) from anchor_tx where state = 'SAFE') as transactions,
      (select count(*) from etch where status = 'sealed' and unreadable) as unreadable
    from batch where anchored_at is not null`);
  const { commitments, retractions, transactions, unreadable } = row!;
  return {
    commitmentBatches: commitments,
    retractionBatches: retractions,
    transactions,
    unreadable,
    forgotten: await readForgotten(db),
  };
}
