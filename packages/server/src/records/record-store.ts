import sql, { type Sql } from 'sql-template-tag';
import { type DatedScope, followScope, readWords, type ScopeHistory } from '@svc/protocol/conventions';
import type { AccountRow } from '../accounts/store.ts';
import type { Queryable } from '../db/db.ts';
import { prepared } from '../db/prepared.ts';
import type { EtchRow } from '../etches/row.ts';
import { queryHotEtches } from '../etches/store.ts';

export async function findAccountByUsername(db: Queryable, username: string) {
  const ask = sql`
    select id, kind, username, display_name, created_at, public_key, agent_url, agent_domain,
      agent_domain_checked_at, operator_id, social_handle, social_verified_at
    from account where username = ${username}`;
  return db.first<AccountRow>(prepared(ask));
}

export interface RecordCounts {
  total: number;
  active: number;
  revealed: number;
  retracted: number;
  taken_down?: number;
  sealed_pending_reveal: number;
}

/** The same `now` makes counts match entries. */
export async function countRecord(db: Queryable, userId: string, now: string): Promise<RecordCounts> {
  const ask = sql`
    select count(*) as total, count(*) filter (where status = 'retracted') as gone,
      count(*) filter (where status = 'sealed' and reveal_at > ${now}) as sealed,
      (select count(*) from erasure r join etch t on t.id = r.etch_id
       where r.taken_down is not null and t.user_id = ${userId}) as taken_down
    from etch where user_id = ${userId}`;
  const [row] = await db.query<{ total: number; gone: number; taken_down: number; sealed: number }>(
    prepared(ask),
  );
  const { total, gone, taken_down, sealed } = row!;
  return {
    total,
    active: total - gone,
    revealed: total - gone - sealed,
    retracted: gone - taken_down,
    ...(taken_down > 0 && { taken_down }),
    sealed_pending_reveal: sealed,
  };
}

export const countRecordDays = (db: Queryable, userId: string, now: string) =>
  db.query<{ day: string; revealed: number; sealed: number; retracted: number; taken_down: number }>(sql`
    select to_char(e.created_at, 'YYYY-MM-DD') as day,
      count(*) filter (where e.status <> 'retracted' and (e.status <> 'sealed' or e.reveal_at <= ${now})) as revealed,
      count(*) filter (where e.status = 'sealed' and e.reveal_at > ${now}) as sealed,
      count(*) filter (where e.status = 'retracted' and r.etch_id is null) as retracted,
      count(*) filter (where e.status = 'retracted' and r.etch_id is not null) as taken_down
    from etch e left join erasure r on r.etch_id = e.id and r.taken_down is not null
    where e.user_id = ${userId} group by 1 order by 1`);

export interface RecordPlace {
  createdAt: string;
  id: string;
}

export interface RecordEntry {
  id: string;
  created_at: string;
}

type Stretch = { limit: number; after?: RecordPlace; categories?: readonly string[] };

export const listRecordEntries = (db: Queryable, userId: string, page: Stretch) =>
  db.query<RecordEntry>(sql`select e.id, e.created_at from etch e ${entriesOf(userId, page)}`);

export const findRecordPage = (db: Queryable, userId: string, page: Stretch): Promise<EtchRow[]> =>
  queryHotEtches(db, entriesOf(userId, page));

function entriesOf(userId: string, page: Stretch): Sql {
  const after = page.after
    ? sql`and e.created_at <= ${page.after.createdAt}
          and (e.created_at < ${page.after.createdAt} or e.id > ${page.after.id}::uuid)`
    : sql``;
  const topics = page.categories?.length ? sql`and e.category_id = any(${page.categories}::text[])` : sql``;
  return sql`where e.user_id = ${userId} ${after} ${topics} order by e.created_at desc, e.id limit ${page.limit}`;
}

/** A subject for which an account declared a scope, and the changes of later scopes. */
interface DeclaredScope {
  declared: DatedScope;
  history: ScopeHistory;
}

const MOST = 100;

/** Lists the oldest first. The service audits nothing: `svc audit --scope` does. */
export async function readScopes(db: Queryable, userId: string): Promise<DeclaredScope[]> {
  const rows = await db.query<{ id: string; content: string; anchored_at: string | null }>(sql`
    select e.id, e.content, (
      select b.anchored_at from batch_leaf l join batch b on b.id = l.batch_id
      where l.etch_id = e.id and l.kind = 0 limit 1) as anchored_at
    from etch e where e.user_id = ${userId} and e.content like 'svc-scope:v1%' and e.mode = 'instant'
    order by e.created_at, e.id limit ${MOST}`);
  const bySubject = new Map<string, DatedScope[]>();
  for (const { id, content, anchored_at } of rows) {
    const words = readWords(content);
    // The author is part of every scope; a scope that lists the author declares none.
    if (words.kind !== 'scope' || words.accounts.some((one) => one.id === userId)) continue;
    const subject = words.subject.normalize('NFC');
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), { etch: id, anchored_at, words }]);
  }
  return [...bySubject.values()].map(([declared, ...later]) => ({
    declared: declared!,
    history: followScope(declared!, later),
  }));
}
