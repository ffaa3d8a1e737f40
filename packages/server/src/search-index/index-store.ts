import sql, { empty, type Sql } from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { SEPARATOR, searchText } from './fold.ts';

/** An etch as it is put among what is searched. */
export interface SearchedEtch {
  id: string;
  user_id: string;
  category_id: string;
  status: 'sealed' | 'revealed' | 'retracted';
  created_at: string;
  reveal_at: string | null;
  description: string;
  /** null while it is not public */
  content: string | null;
}

/** What a search waits for before it may answer. */
export async function readBacklog(db: Queryable, now: string): Promise<{ due: boolean; queued: boolean }> {
  const ask = sql`select ${isDue(now)} as due, ${IS_QUEUED} as queued`;
  const [row] = await db.query<{ due: boolean; queued: boolean }>(prepared(ask));
  return row!;
}

/**
 * Is anything left to wait for? As a column of the very statement that searches, so that both see one state, and no round
 * trip goes before it.
 */
export function isBehind(now: string): Sql {
  return sql`(${isDue(now)} or ${IS_QUEUED})`;
}

/** Has a text become public whose row does not say so yet? */
export function isDue(now: string): Sql {
  return sql`coalesce((select reveal_at from etch where status = 'sealed' and not unreadable order by reveal_at limit 1) <= ${now}, false)`;
}

const IS_QUEUED = sql`exists (select 1 from search_queue)`;

/** Asked four times a second for nothing most of the time, so without a lock. */
export async function isQueued(db: Queryable): Promise<boolean> {
  return (await db.query(prepared(sql`select 1 from search_queue limit 1`))).length > 0;
}

/**
 * Takes about `most` etches off the queue, oldest first, as they are now, and locks them by id: none is revealed or retracted
 * before this transaction ends, and what was when it began is read as it became. So every transaction that writes an etch's row
 * below has that etch locked, and no text is put there that another takes away. What somebody else takes is left to them,
 * or with `wait` waited for.
 */
export async function takeQueued(tx: Tx, most: number, wait = false): Promise<SearchedEtch[]> {
  const waiting = await tx.query<{ id: number; etch_id: string }>(sql`
    select q.id, e.etch_id from (
      select id, etch_ids from search_queue order by id limit 128 for update ${wait ? empty : sql`skip locked`}
    ) q, unnest(q.etch_ids) as e (etch_id)
    order by q.id`);
  const last = waiting[Math.min(most, waiting.length) - 1]?.id;
  if (last === undefined) return [];
  const taken = waiting.filter((row) => row.id <= last);
  await tx.query(sql`delete from search_queue where id = any(${taken.map((row) => row.id)}::bigint[])`);
  return tx.query<SearchedEtch>(sql`
    select id, user_id, category_id, status, created_at, reveal_at, description, content
    from etch where id = any(${taken.map((row) => row.etch_id)}::uuid[]) order by id for share`);
}

/**
 * The end of each statement below: counts follow `moved (user_id, category_id, sealed, revealed, retracted)`, by how much.
 * Everybody writes these rows, so they are locked in one order, by accounts and then by topics, when all else is done, and
 * only until the commit that goes out with the statement: nobody waits for them long, nor in a circle. What is new adds to a
 * topic; what adds nothing changed what is public there, and renews its state (search-index/state-store.ts).
 */
const COUNTED = sql`
    by_author as (
      insert into account_count (user_id, category_id, total, sealed, revealed, retracted)
      select user_id, coalesce(category_id, '*') as topic, sum(sealed + revealed + retracted), sum(sealed), sum(revealed), sum(retracted)
      from moved group by grouping sets ((user_id, category_id), (user_id)) order by user_id, topic
      on conflict (user_id, category_id) do update set total = account_count.total + excluded.total,
        sealed = account_count.sealed + excluded.sealed, revealed = account_count.revealed + excluded.revealed,
        retracted = account_count.retracted + excluded.retracted
      returning 1
    )
    insert into topic_count (category_id, sealed, revealed, retracted)
    select category_id, sum(sealed), sum(revealed), sum(retracted) from moved
    where (select count(*) from by_author) > 0 group by category_id order by category_id
    on conflict (category_id) do update set sealed = topic_count.sealed + excluded.sealed,
      revealed = topic_count.revealed + excluded.revealed, retracted = topic_count.retracted + excluded.retracted,
      state = case when excluded.sealed + excluded.revealed + excluded.retracted > 0 then topic_count.state else excluded.state end`;

/** By how much a row of this status counts. */
const IN_EACH = sql`(status = 'sealed')::integer as sealed, (status = 'revealed')::integer as revealed,
      (status = 'retracted')::integer as retracted`;

/** Adds etches that `takeQueued` locked and counts them; one that is there already stays as it is. The transaction's last statement. */
export async function insertSearched(tx: Tx, etches: readonly SearchedEtch[]): Promise<void> {
  const column = <Name extends keyof SearchedEtch>(name: Name) => etches.map((etch) => etch[name]);
  await tx.last(sql`
    with moved as (
      insert into etch_search (etch_id, user_id, category_id, status, created_at, reveal_at, text)
      select * from unnest(
        ${column('id')}::uuid[], ${column('user_id')}::uuid[], ${column('category_id')}::text[], ${column('status')}::text[],
        ${column('created_at')}::timestamptz[], ${column('reveal_at')}::timestamptz[],
        ${etches.map((etch) => searchText(etch.description, etch.content))}::text[])
      on conflict do nothing
      returning user_id, category_id, ${IN_EACH}
    ), ${COUNTED}`);
}

/** The text becomes part of what is searched, in the transaction that reveals it: its last statement, the etches locked. */
export async function indexRevealed(
  tx: Tx,
  revealed: readonly { id: string; folded: string }[],
): Promise<void> {
  await tx.last(sql`
    with moved as (
      update etch_search s set status = 'revealed', text = split_part(s.text, ${SEPARATOR}, 1) || ${SEPARATOR} || v.folded
      from unnest(${revealed.map((etch) => etch.id)}::uuid[], ${revealed.map((etch) => etch.folded)}::text[]) as v (id, folded)
      where s.etch_id = v.id and s.status = 'sealed'
      returning s.user_id, s.category_id, -1 as sealed, 1 as revealed, 0 as retracted
    ), ${COUNTED}`);
}

/** The text leaves what is searched, in the transaction that retracts it: its last statement, the etch locked. The description stays. */
export async function indexRetracted(tx: Tx, id: string): Promise<void> {
  await tx.last(sql`
    with old as (
      select etch_id, status from etch_search where etch_id = ${id} and status <> 'retracted'
    ), moved as (
      update etch_search s set status = 'retracted', text = split_part(s.text, ${SEPARATOR}, 1) || ${SEPARATOR}
      from old where s.etch_id = old.etch_id
      returning s.user_id, s.category_id, -(old.status = 'sealed')::integer as sealed, -(old.status = 'revealed')::integer as revealed,
        1 as retracted
    ), ${COUNTED}`);
}

/**
 * Takes an etch out of what is searched and counted, and queues it as it is now: its retraction was none. The transaction's
 * last statement, the etch locked.
 */
export async function reindex(tx: Tx, id: string): Promise<void> {
  await tx.last(sql`
    with queued as (
      insert into search_queue (etch_ids) values (${[id]}::uuid[])
    ), gone as (
      delete from etch_search where etch_id = ${id} returning user_id, category_id, ${IN_EACH}
    ), moved as (
      select user_id, category_id, -sealed as sealed, -revealed as revealed, -retracted as retracted from gone
    ), ${COUNTED}`);
}

/** Another description becomes part of what is searched, the etches locked. One that still waits for its turn is read as it is then. */
export async function indexDescriptions(tx: Tx, ids: readonly string[], description: string): Promise<void> {
  await tx.query(sql`
    update etch_search set text = ${searchText(description, null)} || split_part(text, ${SEPARATOR}, 2)
    where etch_id = any(${ids}::uuid[])`);
}
