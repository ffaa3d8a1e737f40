import { isUuid } from '@svc/contract';
import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

export function createOfficialAccounts(db: Queryable, configured: ReadonlySet<string>) {
  // A username never changes.
  const configuredIds = [...configured].filter(isUuid);
  let marked: ReadonlySet<string> = new Set();
  return {
    has: (username: string) => configured.has(username) || marked.has(username),
    async refresh() {
      marked = new Set([...(await listMarked(db)), ...(await usernamesOf(db, configuredIds))]);
    },
  };
}

async function usernamesOf(db: Queryable, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  return db.column<string>(sql`select username from account where id = any(${ids}::uuid[])`);
}

const listMarked = (db: Queryable) =>
  db.column<string>(sql`
    select a.username from official_account o join account a on a.id = o.user_id order by 1`);

/** @returns null for an unknown account, else whether anything changed */
export async function markOfficial(db: Queryable, username: string, on: boolean): Promise<boolean | null> {
  const [account] = await db.query<{ id: string }>(sql`select id from account where username = ${username}`);
  if (!account) return null;
  const changed = on
    ? await db.query(sql`
        insert into official_account (user_id, marked_at) values (${account.id}, clock_timestamp())
        on conflict do nothing returning user_id`)
    : await db.query(sql`delete from official_account where user_id = ${account.id} returning user_id`);
  return changed.length > 0;
}
