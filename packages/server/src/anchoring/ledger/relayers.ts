import sql from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';
import { toHex } from './bytes.ts';

export async function rememberedChainId(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query<{ chain_id: number | null }>(sql`select chain_id from chain_state`);
  return row?.chain_id ?? undefined;
}

export async function listRelayers(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ sender: Buffer }>(
    sql`select sender from anchor_tx group by sender order by max(id) desc`,
  );
  return rows.map(({ sender }) => toHex(sender));
}
