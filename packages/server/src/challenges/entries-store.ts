import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import type { EtchRow } from '../etches/row.ts';
import { queryEtches } from '../etches/store.ts';

/**
 * `soonest`: all of a challenge's etches are revealed at once, so the oldest come first
 * (docs/specification.md#get-challengesid).
 */
export type EntrySort = 'newest' | 'soonest';

/** Where a page of entries ended. Holds a time that is hidden while they are sealed. */
export interface EntryPlace {
  createdAt: string;
  id: string;
}

/** The etches of a challenge, retracted ones too. */
export async function listEntries(
  db: Queryable,
  challengeId: string,
  { sort, limit, after }: { sort: EntrySort; limit: number; after?: EntryPlace },
): Promise<EtchRow[]> {
  const place = after && sql`(${after.createdAt}::timestamptz, ${after.id}::uuid)`;
  const beyond = !place
    ? sql`true`
    : sort === 'newest'
      ? sql`(e.created_at, e.id) < ${place}`
      : sql`(e.created_at, e.id) > ${place}`;
  const order = sort === 'newest' ? sql`e.created_at desc, e.id desc` : sql`e.created_at, e.id`;
  return queryEtches(
    db,
    sql`where e.challenge_id = ${challengeId} and ${beyond} order by ${order} limit ${limit}`,
  );
}
