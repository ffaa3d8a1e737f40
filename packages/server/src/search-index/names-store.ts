// Indexes names of accounts and questions of challenges, and renews the value by which standbys are compared.
import sql, { type Sql } from 'sql-template-tag';
import type { Queryable, Tx } from '../db/db.ts';
import { fold, SEPARATOR } from './fold.ts';

/**
 * A random value for each topic, renewed by reveals and retractions. A standby must have the same
 * (platform/standby/standby.ts).
 */
export const PUBLIC_STATE: Sql = sql`array_to_string(array(
  select category_id || ' ' || state from topic_count order by category_id), ',')`;

/** Renews one topic's value, which is enough for a change of several etches. Run it late in the transaction. */
export const renewState = (tx: Tx) =>
  tx.query(sql`
    update topic_count set state = gen_random_uuid() where category_id = (select min(category_id) from topic_count)`);

export const NOT_BEHIND: Sql = sql`false`;

interface Names {
  id: string;
  created_at: string;
  username: string;
  display_name: string;
  social_handle: string | null;
}

const SOURCE = sql`concat_ws(chr(10), a.username, a.display_name, a.social_handle)`;

/** Call it after every write of an account or a name. */
export async function indexAccounts(db: Queryable, ids: readonly string[]): Promise<void> {
  const rows = await db.query<Names & { source: string }>(sql`
    select a.id, a.created_at, a.username, a.display_name, a.social_handle, ${SOURCE} as source
    from account a where a.id = any(${ids}::uuid[]) order by a.id`);
  if (rows.length === 0) return;
  await db.query(sql`
    insert into account_search (user_id, created_at, username, handle, names, source)
    select * from unnest(
      ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.created_at)}::timestamptz[],
      ${rows.map((row) => fold(row.username))}::text[],
      ${rows.map((row) => (row.social_handle === null ? null : fold(row.social_handle)))}::text[],
      ${rows.map((row) => [row.username, row.display_name, row.social_handle ?? ''].map(fold).join(SEPARATOR))}::text[],
      ${rows.map((row) => row.source)}::text[])
    on conflict (user_id) do update set username = excluded.username, handle = excluded.handle, names = excluded.names,
      source = excluded.source`);
}

export const indexChallenges = (db: Queryable, challenges: readonly { id: string; question: string }[]) =>
  db.query(sql`
    insert into challenge_search (challenge_id, question)
    select * from unnest(${challenges.map((row) => row.id)}::uuid[], ${challenges.map((row) => fold(row.question))}::text[])
    on conflict do nothing`);

/** The caller has locked the challenge. */
export const indexQuestion = (tx: Tx, id: string, question: string) =>
  tx.query(sql`update challenge_search set question = ${fold(question)} where challenge_id = ${id}`);

const AT_ONCE = 500;

/** Repairs names written under an older schema or before a crash. */
export async function repairNames(db: Queryable): Promise<void> {
  for (;;) {
    const accounts = await db.query<{ id: string }>(sql`
      select a.id from account a left join account_search s on s.user_id = a.id
      where s.user_id is null or s.source <> ${SOURCE} limit ${AT_ONCE}`);
    await indexAccounts(
      db,
      accounts.map((row) => row.id),
    );
    const challenges = await db.query<{ id: string; question: string }>(sql`
      select c.id, c.question from challenge c left join challenge_search s on s.challenge_id = c.id
      where s.challenge_id is null limit ${AT_ONCE}`);
    if (challenges.length > 0) await indexChallenges(db, challenges);
    if (accounts.length < AT_ONCE && challenges.length < AT_ONCE) return;
  }
}
