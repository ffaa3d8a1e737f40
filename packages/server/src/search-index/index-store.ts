// The rows that a search reads. An etch is indexed when it becomes public.
import sql, { empty, type Sql } from 'sql-template-tag';
import { type Db, prepared, type Queryable, type Tx } from '../db/db.ts';
import { searchText, SEPARATOR } from './fold.ts';

export interface SearchedEtch {
  id: string;
  user_id: string;
  category_id: string;
  status: 'sealed' | 'revealed' | 'retracted';
  created_at: string;
  reveal_at: string | null;
  description: string;
  content: string | null;
}

export const readBacklog = (db: Queryable, now: string) =>
  db.one<{ due: boolean; queued: boolean }>(
    prepared(sql`select ${isDue(now)} as due, ${IS_QUEUED} as queued`),
  );

/** Part of the searching statement, so that both read one snapshot. */
export const isBehind = (now: string): Sql => sql`(${isDue(now)} or ${IS_QUEUED})`;

/** True for a due text whose row is not updated yet. */
export function isDue(now: string): Sql {
  return sql`coalesce((select reveal_at from etch where status = 'sealed' and not unreadable order by reveal_at limit 1) <= ${now}, false)`;
}

const IS_QUEUED = sql`exists (select 1 from search_queue)`;

/** Runs four times a second, so it takes no lock. */
const isQueued = (db: Queryable) => db.hasRows(prepared(sql`select 1 from search_queue limit 1`));

/**
 * Takes about `most` entries, oldest first, and locks them by id. Every writer of an index row locks the etch, so no
 * text is indexed that a different transaction removes. Skips locked entries unless `wait` is set.
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
 * Ends the statements below: adds `moved` to the counts. Every writer updates these rows, so they are locked last
 * and in one order. A change without a new etch renews the topic's state (search-index/names-store.ts).
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

const IN_EACH = sql`(status = 'sealed')::integer as sealed, (status = 'revealed')::integer as revealed,
      (status = 'retracted')::integer as retracted`;

/** Requires `takeQueued`, and is the transaction's last statement. */
async function insertSearched(tx: Tx, etches: readonly SearchedEtch[]): Promise<void> {
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

/** The last statement of the transaction that reveals. */
export const indexRevealed = (tx: Tx, revealed: readonly { id: string; folded: string }[]) =>
  tx.last(sql`
    with moved as (
      update etch_search s set status = 'revealed', text = split_part(s.text, ${SEPARATOR}, 1) || ${SEPARATOR} || v.folded
      from unnest(${revealed.map((etch) => etch.id)}::uuid[], ${revealed.map((etch) => etch.folded)}::text[]) as v (id, folded)
      where s.etch_id = v.id and s.status = 'sealed'
      returning s.user_id, s.category_id, -1 as sealed, 1 as revealed, 0 as retracted
    ), ${COUNTED}`);

/** The last statement of the transaction that retracts. The description stays. */
export const indexRetracted = (tx: Tx, id: string) =>
  tx.last(sql`
    with old as (
      select etch_id, status from etch_search where etch_id = ${id} and status <> 'retracted'
    ), moved as (
      update etch_search s set status = 'retracted', text = split_part(s.text, ${SEPARATOR}, 1) || ${SEPARATOR}
      from old where s.etch_id = old.etch_id
      returning s.user_id, s.category_id, -(old.status = 'sealed')::integer as sealed, -(old.status = 'revealed')::integer as revealed,
        1 as retracted
    ), ${COUNTED}`);

/** Queues an etch whose retraction was undone. Call it last in the transaction, with the etch locked. */
export const reindex = (tx: Tx, id: string) =>
  tx.last(sql`
    with queued as (
      insert into search_queue (etch_ids) values (${[id]}::uuid[])
    ), gone as (
      delete from etch_search where etch_id = ${id} returning user_id, category_id, ${IN_EACH}
    ), moved as (
      select user_id, category_id, -sealed as sealed, -revealed as revealed, -retracted as retracted from gone
    ), ${COUNTED}`);

/** A queued etch gets the description when it is indexed. The etches are locked. */
export const indexDescriptions = (tx: Tx, ids: readonly string[], description: string) =>
  tx.query(sql`
    update etch_search set text = ${searchText(description, null)} || split_part(text, ${SEPARATOR}, 2)
    where etch_id = any(${ids}::uuid[])`);

/** More save commits, fewer delay retractions less. */
const BATCH = 500;

/**
 * An etch leaves the queue in the transaction that indexes it. With `wait`, returns when any process has indexed
 * everything queued before.
 */
export async function indexQueued(db: Db, options: { batches?: number; wait?: boolean } = {}) {
  const { batches = Infinity, wait = false } = options;
  if (!(await isQueued(db))) return 0;
  let indexed = 0;
  for (let batch = 0; batch < batches; batch++) {
    const count = await db.tx(async (tx) => {
      const etches = await takeQueued(tx, BATCH, wait);
      if (etches.length > 0) await insertSearched(tx, etches);
      return etches.length;
    });
    indexed += count;
    if (count === 0) break;
  }
  return indexed;
}
