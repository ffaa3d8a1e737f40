import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import type { Person } from '../identity/issuer.ts';
import { indexAccounts } from '../search-index/names-store.ts';

export interface NewPerson {
  id: string;
  username: string;
  displayName: string;
  issuer: string;
  subject: string;
  at: string;
}

/** `issuer` keeps the spelling of the account's creation. */
export interface KnownPerson extends Person {
  issuer: string;
}

export const findPeople = (db: Queryable, subjects: readonly string[]) =>
  db.query<KnownPerson>(sql`
    select issuer, subject, id as user_id, username, display_name, kind, agent_domain, operator_id, social_handle,
           social_verified_at, suspended_for
    from account where subject = any(${subjects}::text[]) and issuer is not null order by created_at, id`);

/** @returns false when the username is taken or the person has an account */
export async function insertPerson(db: Queryable, person: NewPerson): Promise<boolean> {
  const rows = await db.query(sql`
    insert into account (id, kind, username, display_name, created_at, issuer, subject)
    values (${person.id}, 'human', ${person.username}, ${person.displayName}, ${person.at}, ${person.issuer},
            ${person.subject})
    on conflict do nothing returning id`);
  if (rows.length > 0) await indexAccounts(db, [person.id]);
  return rows.length > 0;
}

export async function findIdentity(db: Queryable, userId: string) {
  const [row] = await db.query<{ issuer: string | null; subject: string | null }>(
    sql`select issuer, subject from account where id = ${userId}`,
  );
  if (!row || row.issuer === null || row.subject === null) return undefined;
  return { issuer: row.issuer, subject: row.subject };
}

export async function writeSocial(
  db: Queryable,
  userId: string,
  social: { handle: string | null; verifiedAt: string | null },
): Promise<void> {
  await db.query(sql`
    update account set social_handle = ${social.handle}, social_verified_at = ${social.verifiedAt}
    where id = ${userId}`);
  await indexAccounts(db, [userId]);
}
