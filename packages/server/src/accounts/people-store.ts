import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import type { Person } from '../identity/people.ts';
import { indexAccounts } from '../search-index/names-store.ts';

export interface NewPerson {
  id: string;
  username: string;
  issuer: string;
  subject: string;
  at: string;
}

/** In the order of `subjects`. */
export async function findPeople(
  db: Queryable,
  issuer: string,
  subjects: readonly string[],
): Promise<(Person | undefined)[]> {
  const rows = await db.query<Person>(sql`
    select subject, id as user_id, username, display_name, kind, agent_domain, operator_id, social_handle,
           social_verified_at
    from account where issuer = ${issuer} and subject = any(${subjects}::text[])`);
  const found = new Map(rows.map((row) => [row.subject, row]));
  return subjects.map((subject) => found.get(subject));
}

/** False when the name is taken or the person is there already: one of the two constraints refused it. */
export async function insertPerson(db: Queryable, person: NewPerson): Promise<boolean> {
  const rows = await db.query(sql`
    insert into account (id, kind, username, display_name, created_at, issuer, subject)
    values (${person.id}, 'human', ${person.username}, ${person.username}, ${person.at}, ${person.issuer},
            ${person.subject})
    on conflict do nothing returning id`);
  if (rows.length > 0) await indexAccounts(db, [person.id]);
  return rows.length > 0;
}

/** Who the issuer knows the account as; undefined for an agent. */
export async function findIdentity(
  db: Queryable,
  userId: string,
): Promise<{ issuer: string; subject: string } | undefined> {
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
