import type { ChallengeDetail, ChallengeListItem } from '@svc/contract';
import sql, { type Sql } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

/** `etch_count` includes retracted etches. */
export type ChallengeRow = Omit<ChallengeListItem, 'closed' | 'participant_count' | 'url'> &
  Pick<ChallengeDetail, 'code' | 'creator_id'>;

export interface ChallengeDetailRow extends ChallengeRow, Omit<ChallengeDetail['creator'], 'official'> {
  retracted_count: number;
  taken_down_count: number;
}

const CHALLENGE = sql`c.id, c.code, c.question, c.category_id, c.creator_id, c.created_at, c.reveal_at, t.etch_count`;

export async function findChallenges(db: Queryable, ids: readonly string[]) {
  if (ids.length === 0) return [];
  const rows = await db.query<ChallengeRow>(sql`
    select ${CHALLENGE} from challenge c join challenge_tally t on t.id = c.id where c.id = any(${ids}::uuid[])`);
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}

export const findChallengeDetail = async (db: Queryable, id: string) => findOne(db, sql`c.id = ${id}`);

export const findChallengeByCode = async (db: Queryable, code: string) =>
  findOne(db, sql`c.code = ${code.toLowerCase()}`);

const findOne = (db: Queryable, which: Sql) =>
  db.first<ChallengeDetailRow>(sql`
    select ${CHALLENGE}, a.username, a.display_name, a.social_handle, a.social_verified_at,
      (select count(*) from etch e where e.challenge_id = c.id and e.status = 'retracted') as retracted_count,
      (select count(*) from etch e join erasure r on r.etch_id = e.id
       where e.challenge_id = c.id and e.status = 'retracted' and r.taken_down is not null) as taken_down_count
    from challenge c join challenge_tally t on t.id = c.id join account a on a.id = c.creator_id
    where ${which}`);

export type NewChallenge = Omit<ChallengeRow, 'etch_count'>;

export interface EntryTerms extends Pick<ChallengeRow, 'id' | 'question' | 'category_id' | 'reveal_at'> {
  /** the author of the new entry has an earlier one, even if retracted */
  entered: boolean;
}

/**
 * Runs after the allowances are locked, so that no other transaction enters. The lock prevents a takedown of the
 * question.
 */
export async function findEntryTerms(
  db: Queryable,
  wanted: readonly { challengeId: string; userId: string }[],
): Promise<Map<string, EntryTerms>> {
  if (wanted.length === 0) return new Map();
  const rows = await db.query<EntryTerms & { user_id: string }>(sql`
    select v.user_id, c.id, c.question, c.category_id, c.reveal_at,
      exists (select 1 from etch e where e.challenge_id = c.id and e.user_id = v.user_id) as entered
    from unnest(${wanted.map((entry) => entry.challengeId)}::uuid[], ${wanted.map((entry) => entry.userId)}::uuid[])
      as v (challenge_id, user_id)
    join challenge c on c.id = v.challenge_id for key share of c`);
  return new Map(rows.map(({ user_id, ...terms }) => [entryName(terms.id, user_id), terms]));
}

export const entryName = (challengeId: string, userId: string): string => `${challengeId}|${userId}`;

export const findChallengeStates = (db: Queryable, ids: readonly string[]) =>
  db.query<{ id: string; reveal_at: string; etches: number; retracted: number }>(sql`
    select t.id, t.reveal_at, t.etch_count as etches,
      (select count(*) from etch e where e.challenge_id = t.id and e.status = 'retracted') as retracted
    from challenge_tally t where t.id = any(${ids}::uuid[])`);
