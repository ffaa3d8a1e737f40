// The cost of anchoring: gas and fees of the last final transactions.
import sql from 'sql-template-tag';
import type { Hex } from '../../chain/port.ts';
import type { Queryable } from '../../db/db.ts';
import { hex } from './bytes.ts';
import type { FeesPaid } from '../../chain/fees.ts';

const MOST = 20_000;

const recentTransactions = async (db: Queryable, days: number) =>
  (await db.first<{ count: number; seconds: number }>(sql`
    select count(*) as count, coalesce(extract(epoch from clock_timestamp() - min(block_time)), 0)::float8 as seconds
    from (select block_time from anchor_tx where state = 'FINAL' order by block_number desc limit ${MOST}) as t
    where block_time > clock_timestamp() - ${days}::float8 * interval '1 day'`))!;

const newestTransactions = (db: Queryable, most: number) =>
  db.query<{ hash: Hex; blockTime: number }>(sql`
    select ${hex('tx_hash')} as hash, floor(extract(epoch from block_time) * 1000)::bigint as "blockTime"
    from anchor_tx where state = 'FINAL' and tx_hash is not null order by block_number desc limit ${most}`);

export interface Spend {
  perDay: bigint;
  gasPerTransaction: number | null;
  gas: bigint;
  wei: bigint;
}

interface SpendSource {
  db: Queryable;
  now: () => number;
  feesOf: (hash: Hex) => Promise<FeesPaid | null>;
}

const DAYS = 7;
const NEWEST = 30;
const DAY_SECONDS = 86_400;
const LEAST_SECONDS = 3_600;

/** Reads the fees of each transaction once. @throws DatabaseUnavailable, ChainUnavailable */
export function createSpend({ db, now, feesOf }: SpendSource): () => Promise<Spend> {
  const began = now();
  const known = new Map<Hex, FeesPaid>();
  let [gas, wei] = [0n, 0n];
  return async () => {
    const newest = await newestTransactions(db, NEWEST);
    for (const { hash, blockTime } of newest) {
      if (known.has(hash)) continue;
      const paid = await feesOf(hash);
      if (!paid) continue;
      known.set(hash, paid);
      if (blockTime >= began) [gas, wei] = [gas + paid.gas, wei + paid.wei];
    }
    for (const hash of [...known.keys()].slice(0, Math.max(0, known.size - 10 * NEWEST))) known.delete(hash);
    const paid = newest.flatMap(({ hash }) => known.get(hash) ?? []);
    if (paid.length === 0) return { perDay: 0n, gasPerTransaction: null, gas, wei };
    const { count, seconds } = await recentTransactions(db, DAYS);
    const perTransaction = paid.reduce((sum, fees) => sum + fees.wei, 0n) / BigInt(paid.length);
    const perDay =
      (perTransaction * BigInt(count * DAY_SECONDS)) / BigInt(Math.round(Math.max(seconds, LEAST_SECONDS)));
    const gasPerTransaction = paid.reduce((sum, fees) => sum + Number(fees.gas), 0) / paid.length;
    return { perDay, gasPerTransaction, gas, wei };
  };
}
