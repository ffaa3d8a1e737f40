import { type AccountCounts, type Etch, type RecordUser, USERNAME } from '@svc/contract';
import { type DatedScope, followScope, readWords, type ScopeHistory } from '@svc/protocol/conventions';
import sql, { empty, type Sql } from 'sql-template-tag';
import { ACCOUNT, type AccountRow } from '../accounts/store.ts';
import { countsView } from '../accounts/view.ts';
import { toTime } from '../db/clock.ts';
import { type Db, prepared, type Queryable } from '../db/db.ts';
import type { EtchRow } from '../etches/row.ts';
import { queryHotEtches } from '../etches/store.ts';
import { etchViews, type ViewContext } from '../etches/view.ts';
import { isVerified } from '../identity/caller.ts';
import { Failure } from '../platform/failure.ts';
import { createSlots } from '../platform/flow/slots.ts';

export interface RecordPlace {
  createdAt: string;
  id: string;
}

interface RecordRange {
  limit: number;
  after?: RecordPlace;
  categories?: readonly string[];
}

export interface RecordPage {
  user: RecordUser;
  counts: AccountCounts;
  etches: Etch[];
  next: RecordPlace | undefined;
}

/** Anyone may request this expensive count. */
const counting = createSlots({ slots: 4, queue: 1_000, patience: 10_000, what: 'records counted' });

const USERNAME_FORM = new RegExp(USERNAME);

export async function readRecord(
  db: Db,
  username: string,
  { who, ...page }: RecordRange & { who: string },
  now: number,
  view: ViewContext,
): Promise<RecordPage> {
  const account = await accountNamed(db, username);
  const { counts, found } = await counting.run(
    () => db.tx((tx) => readPage(tx, account, page, now), { snapshot: true, keepPlans: true }),
    who,
  );
  const rows = found.slice(0, page.limit);
  const last = rows.at(-1);
  return {
    user: recordUserView(account, view),
    counts,
    etches: await etchViews(rows, now, view),
    next: found.length > page.limit && last ? { createdAt: last.created_at, id: last.id } : undefined,
  };
}

/** @throws Failure not_found */
export async function accountNamed(db: Queryable, username: string): Promise<AccountRow> {
  const name = username.toLowerCase();
  // A path may contain text that PostgreSQL rejects.
  const account = USERNAME_FORM.test(name) ? await findAccountByUsername(db, name) : undefined;
  if (!account) throw new Failure('not_found', 'there is no account with this username');
  return account;
}

export const findAccountByUsername = (db: Queryable, username: string) =>
  db.first<AccountRow>(prepared(sql`select ${ACCOUNT} from account where username = ${username}`));

async function readPage(db: Queryable, account: AccountRow, page: RecordRange, now: number) {
  const [counts, found] = await Promise.all([
    countRecord(db, account.id, toTime(now)),
    findRecordPage(db, account.id, { ...page, limit: page.limit + 1 }),
  ]);
  return { counts, found };
}

export function recordUserView(
  { id, ...shown }: AccountRow,
  { officialAccounts }: Pick<ViewContext, 'officialAccounts'>,
): RecordUser {
  const official = officialAccounts.has(shown.username);
  return { user_id: id, ...shown, official, verified: isVerified(shown) };
}

/** The same `now` makes counts match entries. */
export async function countRecord(db: Queryable, userId: string, now: string): Promise<AccountCounts> {
  const ask = sql`
    select count(*) as total, count(*) filter (where status = 'retracted') as retracted,
      count(*) filter (where status = 'sealed' and reveal_at > ${now}) as sealed,
      (select count(*) from erasure r join etch t on t.id = r.etch_id
       where r.taken_down is not null and t.user_id = ${userId}) as taken_down
    from etch where user_id = ${userId}`;
  return countsView(await db.one<Parameters<typeof countsView>[0]>(prepared(ask)));
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

export const listRecordEntries = (db: Queryable, userId: string, page: RecordRange) =>
  db.query<Pick<EtchRow, 'id' | 'created_at'>>(
    sql`select e.id, e.created_at from etch e ${entriesOf(userId, page)}`,
  );

export const findRecordPage = (db: Queryable, userId: string, page: RecordRange): Promise<EtchRow[]> =>
  queryHotEtches(db, entriesOf(userId, page));

function entriesOf(userId: string, page: RecordRange): Sql {
  const after = page.after
    ? sql`and e.created_at <= ${page.after.createdAt}
          and (e.created_at < ${page.after.createdAt} or e.id > ${page.after.id}::uuid)`
    : empty;
  const topics = page.categories?.length ? sql`and e.category_id = any(${page.categories}::text[])` : empty;
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
