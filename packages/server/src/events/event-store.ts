// Queues events in the transaction that causes them, so that none is lost.
import type { EventType } from '@svc/contract';
import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';

export type QueuedType = Extract<EventType, 'etch.revealed' | 'etch.retracted'>;

/** Runs in the transaction that reveals or retracts. */
export const queueEvents = (tx: Tx, type: QueuedType, etchIds: readonly string[]) =>
  tx.query(sql`insert into event_queue (type, etch_ids) values (${type}, ${etchIds}::uuid[])`);

/** Runs in the transaction that marks the trees anchored. */
export const queueAnchored = (tx: Tx, batchIds: readonly number[]) =>
  tx.query(sql`insert into anchored_queue (batch_id) select unnest(${batchIds}::bigint[])`);

/** Runs in the transaction that creates the challenge. */
export const queueClosing = (tx: Tx, challengeId: string, revealAt: string) =>
  tx.query(sql`insert into challenge_closing (challenge_id, reveal_at) values (${challengeId}, ${revealAt})`);

export const listEventRows = (db: Queryable, userId: string, after: number, limit: number) =>
  db.query<{ position: number; id: string; type: EventType; record_id: string; at: string }>(sql`
    select position, id, type, record_id, at from event
    where user_id = ${userId} and position > ${after} order by position limit ${limit}`);

/** And the log of webhooks. */
export const EVENTS_KEPT_DAYS = 90;

/** Deletes at most 5,000 old events. */
export const forgetEvents = (db: Queryable, before: string) =>
  db.query(sql`
    with oldest as (select position, noted_at from event order by position limit 5000)
    delete from event e using oldest o where e.position = o.position and o.noted_at < ${before}`);
