import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';

/** The ids of the accounts that this one follows. */
export async function findFollowedAccounts(db: Queryable, callerId: string): Promise<string[]> {
  const rows = await db.query<{ target_id: string }>(
    sql`select target_id from follow where user_id = ${callerId} and target_type = 'user'`,
  );
  return rows.map((row) => row.target_id);
}
