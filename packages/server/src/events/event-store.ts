import type { EventType } from '@svc/contract';
import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';

export interface EventRow {
  position: number;
  id: string;
  type: EventType;
  record_id: string;
  at: string;
}

/** Runs in the transaction that reveals or retracts. */
export async function queueEvents(
  tx: Tx,
  type: 'etch.revealed' | 'etch.retracted',
  etchIds: readonly string[],
): Promise<void> {
  await tx.query(sql`insert into event_queue (type, etch_ids) values (${type}, ${etchIds}::uuid[])`);
}

/** Runs in the transaction that marks the trees anchored. */
export async function queueAnchored(tx: Tx, batchIds: readonly number[]): Promise<void> {
  await tx.query(sql`insert into anchored_queue (batch_id) select unnest(${batchIds}::bigint[])`);
}

/** Runs in the transaction that creates the challenge. */
export async function queueClosing(tx: Tx, challengeId: string, revealAt: string): Promise<void> {
  await tx.query(
    sql`insert into challenge_closing (challenge_id, reveal_at) values (${challengeId}, ${revealAt})`,
  );
}

export async function listEventRows(
  db: Queryable,
  userId: string,
  after: number,
  limit: number,
): Promise<EventRow[]> {
  return db.query<EventRow>(sql`
    select position, id, type, record_id, at from event
    where user_id = ${userId} and position > ${after} order by position limit ${limit}`);
}

/** And the log of webhooks. */
export const EVENTS_KEPT_DAYS = 90;

/** Deletes at most 5,000 old events. */
export async function forgetEvents(db: Queryable, before: string): Promise<void> {
  await db.query(sql`
    with oldest as (select position, noted_at from event order by position limit 5000)
    delete from event e using oldest o where e.position = o.position and o.noted_at < ${before}`);
}
