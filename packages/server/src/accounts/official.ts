// Accounts that speak for the service: those of OFFICIAL_ACCOUNTS and those that svc-admin marked.
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
      marked = new Set(
        await db.column<string>(sql`
          select username from account
          where id = any(${configuredIds}::uuid[]) or id in (select user_id from official_account)`),
      );
    },
  };
}

export interface OfficialAccount {
  username: string;
  display_name: string;
}

export const listOfficialAccounts = (
  db: Queryable,
  configured: ReadonlySet<string>,
): Promise<OfficialAccount[]> =>
  db.query(sql`
    select username, display_name from account
    where username = any(${[...configured]}::text[]) or id = any(${[...configured].filter(isUuid)}::uuid[])
      or id in (select user_id from official_account)
    order by username`);

/** @returns null for an unknown account, else whether anything changed */
export async function markOfficial(db: Queryable, username: string, on: boolean): Promise<boolean | null> {
  const id = await db.value<string | undefined>(sql`select id from account where username = ${username}`);
  if (id === undefined) return null;
  return db.hasRows(
    on
      ? sql`insert into official_account (user_id, marked_at) values (${id}, clock_timestamp())
          on conflict do nothing returning 1`
      : sql`delete from official_account where user_id = ${id} returning 1`,
  );
}
