// The people of the embedded issuer.
import sql from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';

export interface EmbeddedPerson {
  name: string;
  /** the name with its letter case; null in rows older than this column */
  typed: string | null;
  social_handle: string | null;
  social_verified_at: string | null;
}

export const findPerson = (db: Queryable, name: string) =>
  db.first<EmbeddedPerson>(
    sql`select name, typed, social_handle, social_verified_at from embedded_person where name = ${name}`,
  );

export const savePerson = (db: Queryable, person: EmbeddedPerson) =>
  db.query(sql`
    insert into embedded_person (name, typed, social_handle, social_verified_at)
    values (${person.name}, ${person.typed}, ${person.social_handle}, ${person.social_verified_at})
    on conflict (name) do update
    set typed = excluded.typed, social_handle = excluded.social_handle, social_verified_at = excluded.social_verified_at`);
