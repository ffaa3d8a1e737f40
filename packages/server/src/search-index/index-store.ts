import sql, { type Sql } from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import { foldContent, SEPARATOR, searchText } from './fold.ts';

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

function isDue(now: string): Sql {
  return sql`coalesce((select reveal_at from etch where status = 'sealed' and not unreadable order by reveal_at limit 1) <= ${now}, false)`;
}

const IS_QUEUED = sql`exists (select 1 from search_queue)`;

/** Asked four times a second for nothing most of the time, so without a lock. */
export async function isQueued(db: Queryable): Promise<boolean> {
  return (await db.query(prepared(sql`select 1 from search_queue limit 1`))).length > 0;
}

/**
 * Lets one transaction at a time write what is searched. It also keeps a retraction from slipping between the moment an
 * etch is read for indexing and the moment its text is written. False: somebody else writes, and `wait` is false.
 */
export async function lockSearch(tx: Tx, wait = true): Promise<boolean> {
  const rows = wait
    ? await tx.query(sql`select 1 from search_lock for update`)
    : await tx.query(sql`select 1 from search_lock for update skip locked`);
  return rows.length > 0;
}

/** Takes about `most` etches off the queue, oldest first, as they are now. Under the lock. */
export async function takeQueued(tx: Tx, most: number): Promise<SearchedEtch[]> {
  const waiting = await tx.query<{ id: number; etch_id: string }>(sql`
    select q.id, e.etch_id from (select id, etch_ids from search_queue order by id limit 128) q, unnest(q.etch_ids) as e (etch_id)
    order by q.id`);
  const last = waiting[Math.min(most, waiting.length) - 1]?.id;
  if (last === undefined) return [];
  const taken = waiting.filter((row) => row.id <= last);
  await tx.query(sql`delete from search_queue where id = any(${taken.map((row) => row.id)}::bigint[])`);
  return tx.query<SearchedEtch>(sql`
    select id, user_id, category_id, status, created_at, reveal_at, description, content
    from etch where id = any(${taken.map((row) => row.etch_id)}::uuid[])`);
}

/** Adds etches and counts them; one that is there already stays as it is. Under the lock. */
export async function insertSearched(tx: Tx, etches: readonly SearchedEtch[]): Promise<void> {
  const column = <Name extends keyof SearchedEtch>(name: Name) => etches.map((etch) => etch[name]);
  await tx.query(sql`
    with put as (
      insert into etch_search (etch_id, user_id, category_id, status, created_at, reveal_at, text)
      select * from unnest(
        ${column('id')}::uuid[], ${column('user_id')}::uuid[], ${column('category_id')}::text[], ${column('status')}::text[],
        ${column('created_at')}::timestamptz[], ${column('reveal_at')}::timestamptz[],
        ${etches.map((etch) => searchText(etch.description, etch.content))}::text[])
      on conflict do nothing
      returning user_id, category_id, status
    ), by_author as (
      insert into account_count (user_id, category_id, total, sealed, revealed, retracted)
      select user_id, coalesce(category_id, '*'), count(*), count(*) filter (where status = 'sealed'),
        count(*) filter (where status = 'revealed'), count(*) filter (where status = 'retracted')
      from put group by grouping sets ((user_id, category_id), (user_id))
      on conflict (user_id, category_id) do update set total = account_count.total + excluded.total,
        sealed = account_count.sealed + excluded.sealed, revealed = account_count.revealed + excluded.revealed,
        retracted = account_count.retracted + excluded.retracted
    )
    insert into topic_count (category_id, sealed, revealed, retracted)
    select category_id, count(*) filter (where status = 'sealed'), count(*) filter (where status = 'revealed'),
      count(*) filter (where status = 'retracted')
    from put group by category_id
    on conflict (category_id) do update set sealed = topic_count.sealed + excluded.sealed,
      revealed = topic_count.revealed + excluded.revealed, retracted = topic_count.retracted + excluded.retracted`);
}

/** The text becomes part of what is searched, in the transaction that reveals it. */
export async function indexRevealed(
  tx: Tx,
  revealed: readonly { id: string; content: string }[],
): Promise<void> {
  await lockSearch(tx);
  await tx.query(sql`
    with changed as (
      update etch_search s set status = 'revealed', text = split_part(s.text, ${SEPARATOR}, 1) || ${SEPARATOR} || v.folded
      from unnest(${revealed.map((etch) => etch.id)}::uuid[], ${revealed.map((etch) => foldContent(etch.content))}::text[]) as v (id, folded)
      where s.etch_id = v.id and s.status = 'sealed'
      returning s.user_id, s.category_id
    ), by_author as (
      update account_count c set sealed = c.sealed - n.n, revealed = c.revealed + n.n
      from (select user_id, coalesce(category_id, '*') as category_id, count(*)::integer as n
            from changed group by grouping sets ((user_id, category_id), (user_id))) n
      where c.user_id = n.user_id and c.category_id = n.category_id
    )
    update topic_count c set sealed = c.sealed - n.n, revealed = c.revealed + n.n
    from (select category_id, count(*)::integer as n from changed group by category_id) n
    where c.category_id = n.category_id`);
}

/** The text leaves what is searched, in the transaction that retracts it; the description stays. */
export async function indexRetracted(tx: Tx, id: string): Promise<void> {
  await lockSearch(tx);
  await tx.query(sql`
    with old as (
      select etch_id, status from etch_search where etch_id = ${id} and status <> 'retracted'
    ), changed as (
      update etch_search s set status = 'retracted', text = split_part(s.text, ${SEPARATOR}, 1) || ${SEPARATOR}
      from old where s.etch_id = old.etch_id
      returning s.user_id, s.category_id, (old.status = 'sealed')::integer as sealed, (old.status = 'revealed')::integer as revealed
    ), by_author as (
      update account_count c set sealed = c.sealed - n.sealed, revealed = c.revealed - n.revealed, retracted = c.retracted + 1
      from changed n where c.user_id = n.user_id and c.category_id in (n.category_id, '*')
    )
    update topic_count c set sealed = c.sealed - n.sealed, revealed = c.revealed - n.revealed, retracted = c.retracted + 1
    from changed n where c.category_id = n.category_id`);
}

/** Takes an etch out of what is searched and counted, and queues it as it is now: its retraction was none. */
export async function reindex(tx: Tx, id: string): Promise<void> {
  await lockSearch(tx);
  await tx.query(sql`
    with gone as (
      delete from etch_search where etch_id = ${id} returning user_id, category_id, status
    ), by_author as (
      update account_count c set total = c.total - 1, sealed = c.sealed - (n.status = 'sealed')::integer,
        revealed = c.revealed - (n.status = 'revealed')::integer, retracted = c.retracted - (n.status = 'retracted')::integer
      from gone n where c.user_id = n.user_id and c.category_id in (n.category_id, '*')
    ), by_topic as (
      update topic_count c set sealed = c.sealed - (n.status = 'sealed')::integer,
        revealed = c.revealed - (n.status = 'revealed')::integer, retracted = c.retracted - (n.status = 'retracted')::integer
      from gone n where c.category_id = n.category_id
    )
    insert into search_queue (etch_ids) values (${[id]}::uuid[])`);
}
