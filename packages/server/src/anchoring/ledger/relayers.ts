import sql from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';
import { toHex } from './bytes.ts';

/** The chain that the database belongs to, without reading the chain; undefined before the first contact. */
export async function rememberedChainId(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query<{ chain_id: number | null }>(sql`select chain_id from chain_state`);
  return row?.chain_id ?? undefined;
}

/** Every relayer that has attested for this database, newest first. A receipt names the relayer of its own attestation. */
export async function listRelayers(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ sender: Buffer }>(
    sql`select sender from anchor_tx group by sender order by max(id) desc`,
  );
  return rows.map(({ sender }) => toHex(sender));
}
