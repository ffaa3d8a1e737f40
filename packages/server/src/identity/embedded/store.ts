import sql from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';

export interface EmbeddedPerson {
  name: string;
  /** the name with its letter case; null in rows older than this column */
  typed: string | null;
  social_handle: string | null;
  social_verified_at: string | null;
}

export async function findPerson(db: Queryable, name: string): Promise<EmbeddedPerson | undefined> {
  const [row] = await db.query<EmbeddedPerson>(
    sql`select name, typed, social_handle, social_verified_at from embedded_person where name = ${name}`,
  );
  return row;
}

export async function savePerson(db: Queryable, person: EmbeddedPerson): Promise<void> {
  await db.query(sql`
    insert into embedded_person (name, typed, social_handle, social_verified_at)
    values (${person.name}, ${person.typed}, ${person.social_handle}, ${person.social_verified_at})
    on conflict (name) do update
    set typed = excluded.typed, social_handle = excluded.social_handle, social_verified_at = excluded.social_verified_at`);
}
