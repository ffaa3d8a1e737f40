import sql from 'sql-template-tag';
import type { Hex } from '../../chain/port.ts';
import type { Queryable } from '../../db/db.ts';
import { toHex } from './bytes.ts';

const MOST = 20_000;

export async function recentTransactions(
  db: Queryable,
  days: number,
): Promise<{ count: number; seconds: number }> {
  const [row] = await db.query<{ count: number; seconds: number | null }>(sql`
    select count(*) as count, extract(epoch from clock_timestamp() - min(block_time))::float8 as seconds
    from (select block_time from anchor_tx where state = 'FINAL' order by block_number desc limit ${MOST}) as t
    where block_time > clock_timestamp() - ${days}::float8 * interval '1 day'`);
  return { count: row!.count, seconds: row!.seconds ?? 0 };
}

export async function newestTransactions(
  db: Queryable,
  most: number,
): Promise<{ hash: Hex; blockTime: number }[]> {
  const rows = await db.query<{ tx_hash: Buffer; block_time: string }>(sql`
    select tx_hash, block_time from anchor_tx where state = 'FINAL' and tx_hash is not null
    order by block_number desc limit ${most}`);
  return rows.map((row) => ({ hash: toHex(row.tx_hash), blockTime: Date.parse(row.block_time) }));
}
