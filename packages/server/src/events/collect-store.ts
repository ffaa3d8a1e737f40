import sql, { type Sql } from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';

const BATCHES_AT_ONCE = 10;
const QUEUED_AT_ONCE = 20;
const CHALLENGES_AT_ONCE = 10;

const UNNOTED = sql`kind = 0 and anchored_at is not null and noted_uid is distinct from uid`;

export async function isAnythingNew(db: Queryable, closedBy: string): Promise<boolean> {
  const [found] = await db.query<{ found: boolean }>(sql`
    select exists (select 1 from event_queue) or exists (select 1 from batch where ${UNNOTED})
      or exists (select 1 from challenge where not noted and reveal_at <= ${closedBy}) as found`);
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
  const batches = await tx.query<{ id: number }>(sql`
    select id from batch where ${UNNOTED} order by id limit ${BATCHES_AT_ONCE} for update skip locked`);
  if (batches.length === 0) return last;
  const ids = batches.map(({ id }) => id);
  const next = await append(
    tx,
    last,
    now,
    sql`select e.user_id, 'etch.anchored' as type, e.id as record_id, b.anchored_at as at
        from batch b join batch_leaf l on l.batch_id = b.id and l.kind = 0 join etch e on e.id = l.etch_id
        where b.id = any(${ids}::bigint[])`,
  );
  await tx.query(sql`update batch set noted_uid = uid where id = any(${ids}::bigint[])`);
  return next;
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
  const closed = await tx.query<{ id: string }>(sql`
    select id from challenge where not noted and reveal_at <= ${closedBy}
    order by reveal_at limit ${CHALLENGES_AT_ONCE} for update skip locked`);
  if (closed.length === 0) return last;
  const ids = closed.map(({ id }) => id);
  const next = await append(
    tx,
    last,
    now,
    sql`select p.user_id, 'challenge.closed' as type, c.id as record_id, c.reveal_at as at
        from challenge c join (
          select id, creator_id as user_id from challenge where id = any(${ids}::uuid[])
          union select challenge_id, user_id from etch where challenge_id = any(${ids}::uuid[])) p on p.id = c.id`,
  );
  await tx.query(sql`update challenge set noted = true where id = any(${ids}::uuid[])`);
  return next;
}

/** Queues what is new for the webhooks that asked for it. */
export async function queueDeliveries(tx: Tx, after: number, now: string): Promise<void> {
  await tx.query(sql`
    insert into webhook_delivery (webhook_id, event_id, type, record_id, at, created_at, next_at)
    select w.id, e.id, e.type, e.record_id, e.at, ${now}, ${now}
    from event e join webhook w on w.user_id = e.user_id and w.disabled_at is null and e.type = any(w.types)
    where e.position > ${after} order by e.position`);
}
