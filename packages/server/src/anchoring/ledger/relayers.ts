import sql from 'sql-template-tag';
import type { Hex } from '../../chain/port.ts';
import type { Queryable } from '../../db/db.ts';
import { toHex } from './bytes.ts';

export async function rememberedChainId(db: Queryable): Promise<number | undefined> {
  const [row] = await db.query<{ chain_id: number | null }>(sql`select chain_id from chain_state`);
  return row?.chain_id ?? undefined;
}

export async function listRelayers(db: Queryable): Promise<Hex[]> {
  const rows = await db.query<{ sender: Buffer }>(
    sql`select sender from anchor_tx group by sender order by max(id) desc`,
  );
  return rows.map(({ sender }) => toHex(sender));
}

/** Up to which transaction count of each earlier key the contract's logs were searched. */
export async function searchedCounts(db: Queryable): Promise<Record<Hex, number>> {
  const [row] = await db.query<{ searched: string }>(sql`select searched from chain_state`);
  return JSON.parse(row!.searched) as Record<Hex, number>;
}

export async function markSearched(
  db: Queryable,
  counted: readonly { sender: Hex; count: number }[],
): Promise<void> {
  if (counted.length === 0) return;
  const searched = Object.fromEntries(counted.map(({ sender, count }) => [sender, count]));
  const all = JSON.stringify({ ...(await searchedCounts(db)), ...searched });
  await db.query(sql`update chain_state set searched = ${all}`);
}
