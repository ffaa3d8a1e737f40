import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import { toHex } from './chain-state.ts';

/** Every account that has attested for this database, newest first: receipts name the one of their time. */
export async function listRelayers(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ sender: Buffer }>(
    sql`select sender from anchor_tx group by sender order by max(id) desc`,
  );
  return rows.map(({ sender }) => toHex(sender));
}
