// Counts for the status page and the metrics.
import sql, { type Sql } from 'sql-template-tag';
import { toTime } from '../db/clock.ts';
import type { Queryable } from '../db/db.ts';
import type { StatusDay } from './status-data.ts';

export interface Counts {
  /** in the single scheme: etches */
  commitmentBatches: number;
  retractionBatches: number;
  transactions: number;
  /** no key decrypts them */
  unreadable: number;
  forgotten: MissingTombstones;
  /** attested under the schema before this database began */
  attestedBefore: boolean;
  operatorActs: Record<string, number>;
  /** anchored trees without a block proof or a time stamp */
  unproven: MissingProofs;
  unstamped: MissingProofs;
}

/** Number and oldest anchoring (ms); null if none. */
export interface MissingProofs {
  trees: number;
  oldestAt: number | null;
}

/** Tombstones on the chain that the database lacks. */
export interface MissingTombstones {
  withheld: number;
  /** tombstones that match no known etch */
  unmatched: number;
}

export const readMissingTombstones = async (db: Queryable): Promise<MissingTombstones> =>
  (await db.first<MissingTombstones>(sql`
    select (select count(*) from withheld) as withheld,
      (select count(*) from chain_tombstone t where t.state = 'unmatched'
        and not exists (select from batch b where b.root = t.root and b.kind = 1)) as unmatched`))!;

async function readOperatorActs(db: Queryable): Promise<Record<string, number>> {
  const rows = await db.query<{ act: string; acts: number }>(
    sql`select act, count(*) as acts from operator_act group by act order by act`,
  );
  return Object.fromEntries(rows.map(({ act, acts }) => [act, acts]));
}

const readMissing = async (db: Queryable, batches: Sql): Promise<MissingProofs> =>
  (await db.first<MissingProofs>(sql`
    select count(*) as trees, floor(extract(epoch from min(b.anchored_at)) * 1000)::bigint as "oldestAt"
    from ${batches} and b.anchored_at is not null`))!;

/** Days without a tree are part of the list. */
export const readDays = (db: Queryable, days: number, now: number): Promise<StatusDay[]> =>
  db.query<StatusDay>(sql`
    with day as (
      select generate_series(
        date_trunc('day', ${toTime(now)}::timestamptz, 'UTC') - ${days - 1} * interval '1 day',
        ${toTime(now)}::timestamptz, interval '1 day') as at
    ), tree as (
      select date_trunc('day', b.anchored_at, 'UTC') as at, b.tree_size,
        extract(epoch from b.anchored_at - t.not_before) as seconds
      from batch b join anchor_tx t on t.id = b.tx_id
      where b.anchored_at >= (select min(at) from day)
    )
    select to_char(day.at at time zone 'UTC', 'YYYY-MM-DD') as day, coalesce(sum(tree.tree_size), 0)::integer as anchored,
      greatest(max(tree.seconds), 0)::integer as slowest_seconds
    from day left join tree on tree.at = day.at group by day.at order by day.at`);

export async function readCounts(db: Queryable): Promise<Counts> {
  const counts = await db.first<Omit<Counts, 'forgotten' | 'operatorActs' | 'unproven' | 'unstamped'>>(sql`
    select
      count(*) filter (where kind = 0) as "commitmentBatches",
      count(*) filter (where kind = 1) as "retractionBatches",
      (select count(*) from anchor_tx where state = 'FINAL') as transactions,
      (select count(*) from etch where status = 'sealed' and unreadable) as unreadable,
      exists (select from earlier_attestation) as "attestedBefore"
    from batch where anchored_at is not null`);
  return {
    ...counts!,
    forgotten: await readMissingTombstones(db),
    operatorActs: await readOperatorActs(db),
    unproven: await readMissing(
      db,
      sql`batch b join anchor_tx t on t.id = b.tx_id left join evidence e on e.tx_id = t.id and e.block_hash = t.block_hash
        where t.state = 'FINAL' and e.header is null`,
    ),
    unstamped: await readMissing(
      db,
      sql`batch b join witness w on w.batch_id = b.id where w.due_at is not null and w.kind = 'rfc3161'`,
    ),
  };
}
