import sql, { type Sql } from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';

const BATCHES_AT_ONCE = 10;
const QUEUED_AT_ONCE = 20;
const CHALLENGES_AT_ONCE = 10;

export async function isAnythingNew(db: Queryable, closedBy: string): Promise<boolean> {
  const [found] = await db.query<{ found: boolean }>(sql`
    select exists (select 1 from event_queue) or exists (select 1 from anchored_queue)
      or exists (select 1 from challenge_closing where reveal_at <= ${closedBy}) as found`);
  return found!.found;
}

/** The last position given out; undefined while another process gives out some. */
export async function lockPositions(tx: Tx): Promise<number | undefined> {
  const [row] = await tx.query<{ last_position: number }>(
    sql`select last_position from event_state for update skip locked`,
  );
  return row?.last_position;
}

export async function keepPosition(tx: Tx, position: number): Promise<void> {
  await tx.query(sql`update event_state set last_position = ${position}`);
}

/** Gives positions after `last` to rows of `user_id, type, record_id, at`, in their order. @returns the last one given */
async function append(tx: Tx, last: number, now: string, rows: Sql): Promise<number> {
  const [made] = await tx.query<{ count: number }>(sql`
    with made as (
      insert into event (position, user_id, type, record_id, at, noted_at)
      select ${last}::bigint + row_number() over (order by at, record_id, user_id), user_id, type, record_id, at, ${now}::timestamptz
      from (${rows}) as found returning 1)
    select count(*) as count from made`);
  return last + Number(made!.count);
}

/** Etches in trees that became anchored, or were again under another attestation. */
export async function appendAnchored(tx: Tx, last: number, now: string): Promise<number> {
  const queued = await tx.query<{ batch_id: number }>(sql`
    delete from anchored_queue where id in (select id from anchored_queue order by id limit ${BATCHES_AT_ONCE} for update skip locked)
    returning batch_id`);
  if (queued.length === 0) return last;
  // One that the chain has lost again meanwhile is queued anew when it is back.
  const told = await tx.query<{ batch_id: number }>(sql`
    insert into anchored_told as t (batch_id, uid)
    select id, uid from batch
    where id = any(${[...new Set(queued.map((row) => row.batch_id))]}::bigint[]) and kind = 0 and anchored_at is not null
    on conflict (batch_id) do update set uid = excluded.uid where t.uid <> excluded.uid
    returning batch_id`);
  if (told.length === 0) return last;
  return append(
    tx,
    last,
    now,
    sql`select e.user_id, 'etch.anchored' as type, e.id as record_id, b.anchored_at as at
        from batch b join batch_leaf l on l.batch_id = b.id and l.kind = 0 join etch e on e.id = l.etch_id
        where b.id = any(${told.map((row) => row.batch_id)}::bigint[])`,
  );
}

/** Reveals and retractions, from their queue. */
export async function appendQueued(tx: Tx, last: number, now: string): Promise<number> {
  const queued = await tx.query<{ type: string; etch_ids: string[] }>(sql`
    delete from event_queue where id in (select id from event_queue order by id limit ${QUEUED_AT_ONCE} for update skip locked)
    returning type, etch_ids`);
  if (queued.length === 0) return last;
  const types = queued.flatMap(({ type, etch_ids }) => etch_ids.map(() => type));
  const ids = queued.flatMap(({ etch_ids }) => etch_ids);
  return append(
    tx,
    last,
    now,
    sql`select e.user_id, q.type, e.id as record_id,
          case q.type when 'etch.retracted' then e.retracted_at else e.reveal_at end as at
        from unnest(${types}::text[], ${ids}::uuid[]) as q (type, id) join etch e on e.id = q.id`,
  );
}

/** Challenges that closed, for who asked them and who entered. */
export async function appendClosed(tx: Tx, last: number, now: string, closedBy: string): Promise<number> {
  const closed = await tx.query<{ challenge_id: string }>(sql`
    delete from challenge_closing where challenge_id in (
      select challenge_id from challenge_closing where reveal_at <= ${closedBy}
      order by reveal_at limit ${CHALLENGES_AT_ONCE} for update skip locked)
    returning challenge_id`);
  if (closed.length === 0) return last;
  const ids = closed.map((row) => row.challenge_id);
  return append(
    tx,
    last,
    now,
    sql`select p.user_id, 'challenge.closed' as type, c.id as record_id, c.reveal_at as at
        from challenge c join (
          select id, creator_id as user_id from challenge where id = any(${ids}::uuid[])
          union select challenge_id, user_id from etch where challenge_id = any(${ids}::uuid[])) p on p.id = c.id`,
  );
}

/**
 * Queues what was written without being queued: by a process of an older version that ran on beside the migration, say.
 * Seldom run, for it looks at every tree.
 */
export async function queueMissed(db: Queryable, now: string): Promise<void> {
  await db.query(sql`
    insert into anchored_queue (batch_id)
    select b.id from batch b left join anchored_told t on t.batch_id = b.id
    where b.kind = 0 and b.anchored_at is not null and t.uid is distinct from b.uid order by b.id`);
  await db.query(sql`
    insert into challenge_closing (challenge_id, reveal_at)
    select id, reveal_at from challenge where reveal_at > ${now} on conflict do nothing`);
}
