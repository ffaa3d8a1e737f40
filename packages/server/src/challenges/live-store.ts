import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

export interface ChallengeStateRow {
  id: string;
  reveal_at: string;
  etches: number;
  retracted: number;
}

export async function findChallengeStates(
  db: Queryable,
  ids: readonly string[],
): Promise<ChallengeStateRow[]> {
  return db.query<ChallengeStateRow>(sql`
    select t.id, t.reveal_at, t.etch_count as etches,
      (select count(*) from etch e where e.challenge_id = t.id and e.status = 'retracted') as retracted
    from challenge_tally t where t.id = any(${ids}::uuid[])`);
}
