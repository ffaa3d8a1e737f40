// Turns queued changes into events, in one order for all readers.
import type { EventType } from '@svc/contract';
import sql, { join, type Sql } from 'sql-template-tag';
import { type Db, prepared, type Queryable, type Tx } from '../db/db.ts';
import {
  type FindDecided,
  queueOpened,
  queueResolutions,
  queueUnstored,
  takeResolved,
} from './resolved-store.ts';
import { toTime } from '../db/clock.ts';
import type { QueuedType } from './event-store.ts';

const CHUNK = 2_000;
/** Each has at most 500 etches (acts/reveal-store.ts). */
const QUEUED_AT_ONCE = 4;

/** An entry accepted before the closing may commit after the first scan, but within a minute (db/postgres.ts). */
const AGAIN_AFTER = ['2 minutes', '1 hour'];

const isAnythingNew = (db: Queryable, closedBy: string) =>
  db.value<boolean>(
    prepared(sql`
    select exists (select 1 from event_queue) or exists (select 1 from anchored_queue)
      or exists (select 1 from resolution_queue)
      or exists (select 1 from challenge_closing where coalesce(again_at, reveal_at) <= ${closedBy}) as found`),
  );

interface CollectRound {
  tx: Tx;
  now: string;
  /** challenges that closed before this time */
  closedBy: string;
  findDecided: FindDecided;
  /** the last position */
  last: number;
}

async function append(round: CollectRound, rows: Sql): Promise<void> {
  const { tx, now, last } = round;
  round.last += await tx.value<number>(sql`
    with made as (
      insert into event (position, user_id, type, record_id, at, noted_at)
      select ${last}::bigint + row_number() over (order by at, record_id, user_id), user_id, type, record_id, at, ${now}::timestamptz
      from (${rows}) as found returning 1)
    select count(*) as count from made`);
}

/** Repeats the events if a new attestation anchored the tree again. */
async function appendAnchored(round: CollectRound): Promise<void> {
  const { tx } = round;
  const [queued] = await tx.query<{ id: number; batch_id: number; after_etch: string | null }>(sql`
    select id, batch_id, after_etch from anchored_queue order by id limit 1 for update skip locked`);
  if (!queued) return;
  const etches = (await needsEvents(tx, queued))
    ? await leavesAfter(tx, queued.batch_id, queued.after_etch)
    : [];
  if (etches.length < CHUNK) await tx.query(sql`delete from anchored_queue where id = ${queued.id}`);
  else await tx.query(sql`update anchored_queue set after_etch = ${etches.at(-1)} where id = ${queued.id}`);
  if (etches.length === 0) return;
  await queueResolutions(tx, etches);
  await append(
    round,
    sql`select e.user_id, 'etch.anchored' as type, e.id as record_id, b.anchored_at as at
        from etch e, batch b where e.id = any(${etches}::uuid[]) and b.id = ${queued.batch_id}`,
  );
}

/** A tree with some of its events gets the rest. */
async function needsEvents(
  tx: Tx,
  { batch_id, after_etch }: { batch_id: number; after_etch: string | null },
): Promise<boolean> {
  if (after_etch === null) {
    // A tree is queued again when the chain shows it again.
    return tx.hasRows(sql`
      insert into anchored_told as t (batch_id, uid)
      select id, uid from batch where id = ${batch_id} and kind = 0 and anchored_at is not null
      on conflict (batch_id) do update set uid = excluded.uid where t.uid <> excluded.uid
      returning batch_id`);
  }
  const found = await tx.hasRows(sql`select 1 from batch where id = ${batch_id} and anchored_at is not null`);
  // The chain lost the tree halfway: make all events again later.
  if (!found) await tx.query(sql`delete from anchored_told where batch_id = ${batch_id}`);
  return found;
}

const leavesAfter = (tx: Tx, batchId: number, after: string | null) =>
  tx.column<string>(sql`
    select etch_id from batch_leaf
    where batch_id = ${batchId} and kind = 0 and (${after}::uuid is null or etch_id > ${after}::uuid)
    order by etch_id limit ${CHUNK}`);

/** The question that an etch's event may decide, and the time of the event. */
const QUEUED: Readonly<
  Record<QueuedType, { resolves: (tx: Tx, etchIds: readonly string[]) => Promise<unknown>; at: Sql }>
> = {
  'etch.revealed': { resolves: queueOpened, at: sql`e.reveal_at` },
  'etch.retracted': { resolves: queueResolutions, at: sql`e.retracted_at` },
};

async function appendQueued(round: CollectRound): Promise<void> {
  const { tx } = round;
  const queued = await tx.query<{ type: QueuedType; etch_ids: string[] }>(sql`
    delete from event_queue where id in (select id from event_queue order by id limit ${QUEUED_AT_ONCE} for update skip locked)
    returning type, etch_ids`);
  if (queued.length === 0) return;
  for (const { type, etch_ids } of queued) await QUEUED[type].resolves(tx, etch_ids);
  const types = queued.flatMap(({ type, etch_ids }) => etch_ids.map(() => type));
  const ids = queued.flatMap(({ etch_ids }) => etch_ids);
  const times = Object.entries(QUEUED).map(([type, { at }]) => sql`when ${type} then ${at}`);
  await append(
    round,
    sql`select e.user_id, q.type, e.id as record_id,
          case q.type ${join(times, ' ')} end as at
        from unnest(${types}::text[], ${ids}::uuid[]) as q (type, id) join etch e on e.id = q.id`,
  );
}

async function appendClosed(round: CollectRound): Promise<void> {
  const { tx, closedBy } = round;
  const [closed] = await tx.query<{ id: string; after_user: string | null; rounds: number }>(sql`
    select challenge_id as id, after_user, rounds from challenge_closing
    where coalesce(again_at, reveal_at) <= ${closedBy}
    order by coalesce(again_at, reveal_at) limit 1 for update skip locked`);
  if (!closed) return;
  const { id, after_user: after, rounds } = closed;
  const users = await entrantsAfter(tx, id, after);
  if (users.length === CHUNK) {
    await tx.query(sql`update challenge_closing set after_user = ${users.at(-1)} where challenge_id = ${id}`);
  } else if (rounds < AGAIN_AFTER.length) {
    await tx.query(sql`
      update challenge_closing
      set after_user = null, rounds = rounds + 1, again_at = greatest(reveal_at, ${closedBy}::timestamptz) + ${AGAIN_AFTER[rounds]}::interval
      where challenge_id = ${id}`);
  } else await tx.query(sql`delete from challenge_closing where challenge_id = ${id}`);
  await append(
    round,
    sql`select u.id as user_id, 'challenge.closed' as type, c.id as record_id, c.reveal_at as at
        from unnest(${users}::uuid[]) as u (id), challenge c
        where c.id = ${id} and not exists (
          select 1 from event e where e.record_id = c.id and e.user_id = u.id and e.type = 'challenge.closed')`,
  );
}

/** Appends events for the forecasters, or for the forecast's author. */
async function appendResolved(round: CollectRound): Promise<void> {
  const resolved = await takeResolved(round.tx, round.findDecided, CHUNK);
  if (!resolved) return;
  const { type, etchId, at, users } = resolved;
  await append(
    round,
    sql`select u.id as user_id, ${type}::text as type, ${etchId}::uuid as record_id, ${at}::timestamptz as at
        from unnest(${users}::uuid[]) as u (id)
        where not exists (
          select 1 from event e where e.record_id = ${etchId} and e.user_id = u.id
            and e.type in ('challenge.resolved', 'etch.resolved'))`,
  );
}

/** The functions that make the events of each type, in the order in which a round numbers the events. */
const COLLECTORS: Readonly<Record<EventType, (round: CollectRound) => Promise<void>>> = {
  'etch.anchored': appendAnchored,
  'etch.revealed': appendQueued,
  'etch.retracted': appendQueued,
  'challenge.closed': appendClosed,
  'etch.resolved': appendResolved,
  'challenge.resolved': appendResolved,
};

async function entrantsAfter(tx: Tx, challengeId: string, after: string | null): Promise<string[]> {
  const later = after === null ? sql`true` : sql`user_id > ${after}`;
  return tx.column<string>(sql`
    select user_id from (
      select creator_id as user_id from challenge where id = ${challengeId}
      union (select user_id from etch where challenge_id = ${challengeId} and ${later} order by user_id limit ${CHUNK})
    ) as p where ${later} order by user_id limit ${CHUNK}`);
}

/** A process of an older version anchored these after the migration. This scans every tree, so it runs rarely. */
export async function queueMissed(db: Queryable, now: string): Promise<void> {
  await db.query(sql`
    insert into anchored_queue (batch_id)
    select b.id from batch b left join anchored_told t on t.batch_id = b.id
    where b.kind = 0 and b.anchored_at is not null and t.uid is distinct from b.uid order by b.id`);
  await db.query(sql`
    insert into challenge_closing (challenge_id, reveal_at)
    select id, reveal_at from challenge where reveal_at > ${now} on conflict do nothing`);
  await queueUnstored(db);
}

/** An entry accepted at the last moment may commit later. */
const STRAGGLERS_MS = 2_000;

type OnNewEvents = (tx: Tx, after: number, at: string) => Promise<unknown>;

/**
 * One process at a time assigns positions, in one global order, a chunk per transaction. @returns the number of
 * events
 */
export async function collectEvents(
  db: Db,
  now: number,
  { onNewEvents, findDecided }: { onNewEvents: OnNewEvents; findDecided: FindDecided },
): Promise<number> {
  const closedBy = toTime(now - STRAGGLERS_MS);
  let made = 0;
  while (await isAnythingNew(db, closedBy)) {
    const count = await db.tx(async (tx) => {
      const before = await tx.value<number | undefined>(
        sql`select last_position from event_state for update skip locked`,
      );
      // A different process assigns positions.
      if (before === undefined) return undefined;
      const round = { tx, now: toTime(now), closedBy, findDecided, last: before };
      for (const append of new Set(Object.values(COLLECTORS))) await append(round);
      await tx.query(sql`update event_state set last_position = ${round.last}`);
      await onNewEvents(tx, before, round.now);
      return round.last - before;
    });
    if (count === undefined) return made;
    made += count;
  }
  return made;
}
