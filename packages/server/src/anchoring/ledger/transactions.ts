import sql from 'sql-template-tag';
import type { Fees, Hex } from '../../chain/port.ts';
import type { Queryable } from '../../db/db.ts';
import { prepared } from '../../db/prepared.ts';
import { fromHex, toHex } from './bytes.ts';

export type TxState = 'STAGED' | 'SIGNED' | 'SENT' | 'MINED' | 'FINAL' | 'HALTED' | 'LOST';
export type Action = 'attest' | 'revoke' | 'fill';

export interface LedgerTx {
  id: number;
  sender: Hex;
  nonce: number;
  action: Action;
  calldata: Hex;
  state: TxState;
  tries: number;
  notBefore: number;
  blockNumber: number | null;
  blockHash: Hex | null;
}

export interface Attempt extends Fees {
  hash: Hex;
  raw: Hex;
  gas: bigint;
  /** ms since 1970, by the database's clock */
  signedAt: number;
}

export interface BatchRow {
  id: number;
  position: number;
  kind: 0 | 1;
  tree_version: 0 | 1 | 2;
  root: Buffer;
  tree_size: number;
  anchored_at: string | null;
}

interface TxRow {
  id: number;
  sender: Buffer;
  nonce: number;
  action: Action;
  calldata: Buffer;
  state: TxState;
  tries: number;
  not_before: string;
  block_number: number | null;
  block_hash: Buffer | null;
}

const TX = sql`id, sender, nonce, action, calldata, state, tries, not_before, block_number, block_hash`;

function toLedgerTx(row: TxRow): LedgerTx {
  return {
    id: row.id,
    sender: toHex(row.sender),
    nonce: row.nonce,
    action: row.action,
    calldata: toHex(row.calldata),
    state: row.state,
    tries: row.tries,
    notBefore: Date.parse(row.not_before),
    blockNumber: row.block_number,
    blockHash: row.block_hash && toHex(row.block_hash),
  };
}

/**
 * In nonce order: first transactions to send, then mined, then halted ones. Many mined ones cannot displace the
 * first.
 */
export async function openTransactions(db: Queryable, limit: number): Promise<LedgerTx[]> {
  const rows = await db.query<TxRow>(
    prepared(sql`
    select ${TX} from anchor_tx where state not in ('FINAL', 'LOST')
    order by (state = 'HALTED'), (state = 'MINED'), nonce limit ${limit}`),
  );
  return rows.map(toLedgerTx);
}

export const countUnmined = (db: Queryable, sender: Hex) =>
  db.value<number>(sql`
    select count(*) as count from anchor_tx
    where state in ('STAGED', 'SIGNED', 'SENT') and sender = ${fromHex(sender)}`);

export async function finalTransactions(
  db: Queryable,
  before: number | null,
  limit: number,
): Promise<LedgerTx[]> {
  const rows = await db.query<TxRow>(sql`
    select ${TX} from anchor_tx where state = 'FINAL' and block_number < ${before ?? 2 ** 52}
    order by block_number desc limit ${limit}`);
  return rows.map(toLedgerTx);
}

export async function finalTransactionsIn(db: Queryable, blocks: readonly number[]): Promise<LedgerTx[]> {
  if (blocks.length === 0) return [];
  const rows = await db.query<TxRow>(sql`
    select ${TX} from anchor_tx where state = 'FINAL' and block_number = any(${blocks}::bigint[])`);
  return rows.map(toLedgerTx);
}

export async function attemptsOf(db: Queryable, txId: number): Promise<Attempt[]> {
  const rows = await db.query<{
    hash: Buffer;
    raw: Buffer;
    max_fee_per_gas: string;
    max_priority_fee_per_gas: string;
    gas: number;
    signed_at: string;
  }>(sql`select hash, raw, max_fee_per_gas, max_priority_fee_per_gas, gas, signed_at from tx_attempt
    where tx_id = ${txId} order by max_fee_per_gas, signed_at, hash`);
  return rows.map((row) => ({
    hash: toHex(row.hash),
    raw: toHex(row.raw),
    maxFeePerGas: BigInt(row.max_fee_per_gas),
    maxPriorityFeePerGas: BigInt(row.max_priority_fee_per_gas),
    gas: BigInt(row.gas),
    signedAt: Date.parse(row.signed_at),
  }));
}

export const batchesOf = (db: Queryable, txId: number) =>
  db.query<BatchRow>(sql`
    select id, position, kind, tree_version, root, tree_size, anchored_at from batch
    where tx_id = ${txId} order by position`);

export const revokedCommitments = (db: Queryable, txId: number) =>
  db.query<{ batch_id: number; uid: Buffer | null; done: boolean }>(sql`
    select b.id as batch_id, c.uid, b.anchored_at is not null as done
    from batch b join batch_leaf l on l.batch_id = b.id
    join batch_leaf k on k.kind = 0 and k.etch_id = l.etch_id
    join batch c on c.id = k.batch_id
    where b.tx_id = ${txId} order by b.position`);
