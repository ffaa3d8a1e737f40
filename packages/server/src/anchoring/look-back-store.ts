import sql from 'sql-template-tag';
import type { Hex } from '../chain/port.ts';
import type { Queryable } from '../db/db.ts';
import { fromHex, toHex } from './chain-state.ts';

/** Those of these transactions that are no signed form of the ledger's. */
export async function unknownAttempts(db: Queryable, hashes: readonly Hex[]): Promise<Hex[]> {
  const rows = await db.query<{ hash: Buffer }>(sql`
    select hash from unnest(${hashes.map(fromHex)}::bytea[]) as f (hash)
    where not exists (select from tx_attempt a where a.hash = f.hash)`);
  return rows.map(({ hash }) => toHex(hash));
}

/** The block of the last final transaction before the first nonce that is open or not in the ledger; null without one. */
export async function placeBefore(db: Queryable, sender: Hex): Promise<number | null> {
  const [row] = await db.query<{ block: number | null }>(sql`
    select max(block_number) as block from anchor_tx
    where sender = ${fromHex(sender)} and state = 'SAFE' and nonce < coalesce(
      (select min(nonce) from anchor_tx
        where sender = ${fromHex(sender)} and state in ('SEALED', 'SIGNED', 'SENT', 'HALTED')),
      9007199254740991)`);
  return row!.block;
}

/** The time of the oldest etch that waits or is on its way, milliseconds since 1970; null when nothing does. */
export async function oldestWork(db: Queryable, sender: Hex): Promise<number | null> {
  const [row] = await db.query<{ oldest: string | null }>(sql`
    select least((select min(created_at) from anchor_job),
      (select min(e.created_at) from anchor_tx t join batch b on b.tx_id = t.id
        join batch_leaf l on l.batch_id = b.id join etch e on e.id = l.etch_id
        where t.state not in ('SAFE', 'LOST') and t.sender = ${fromHex(sender)})) as oldest`);
  return row!.oldest === null ? null : Date.parse(row!.oldest);
}
