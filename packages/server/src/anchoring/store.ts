import sql from 'sql-template-tag';
import type { Fees, Hex } from '../chain/port.ts';
import type { Queryable, Tx } from '../db/db.ts';
import { fromHex, toHex } from './chain-state.ts';
import { requeueStatements } from './job-store.ts';

export type TxState = 'SEALED' | 'SIGNED' | 'SENT' | 'MINED' | 'SAFE' | 'HALTED' | 'LOST';
export type Action = 'attest' | 'revoke' | 'fill';

/** A transaction of the ledger: a nonce and a payload. */
export interface LedgerTx {
  id: number;
  sender: Hex;
  nonce: number;
  action: Action;
  calldata: Hex;
  state: TxState;
  tries: number;
  /** milliseconds since 1970 */
  notBefore: number;
  blockNumber: number | null;
  blockHash: Hex | null;
}

/** One signed form of a transaction. */
export interface Attempt extends Fees {
  hash: Hex;
  raw: Hex;
  gas: bigint;
  /** milliseconds since 1970, of the database */
  signedAt: number;
}

/** One attestation, or one revocation, in a transaction. */
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
 * What is not final yet, in the order the chain will take it; what is set aside comes last. What is mined only waits to
 * be deep enough, and on a chain whose final block stands still there may be more of it than `limit`: it comes after
 * what must still be sent.
 */
export async function openTransactions(db: Queryable, limit: number): Promise<LedgerTx[]> {
  const rows = await db.query<TxRow>(sql`
    select ${TX} from anchor_tx where state not in ('SAFE', 'LOST')
    order by (state = 'HALTED'), (state = 'MINED'), nonce limit ${limit}`);
  return rows.map(toLedgerTx);
}

export async function countUnmined(db: Queryable, sender: Hex): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*) as count from anchor_tx
    where state in ('SEALED', 'SIGNED', 'SENT') and sender = ${fromHex(sender)}`);
  return row!.count;
}

/** Final transactions from the newest block down, below `before`. */
export async function safeTransactions(
  db: Queryable,
  before: number | null,
  limit: number,
): Promise<LedgerTx[]> {
  const rows = await db.query<TxRow>(sql`
    select ${TX} from anchor_tx where state = 'SAFE' and block_number < ${before ?? 2 ** 52}
    order by block_number desc limit ${limit}`);
  return rows.map(toLedgerTx);
}

export async function safeTransactionsIn(db: Queryable, blocks: readonly number[]): Promise<LedgerTx[]> {
  const rows = await db.query<TxRow>(sql`
    select ${TX} from anchor_tx where state = 'SAFE' and block_number = any(${blocks}::bigint[])`);
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

export function batchesOf(db: Queryable, txId: number): Promise<BatchRow[]> {
  return db.query<BatchRow>(sql`
    select id, position, kind, tree_version, root, tree_size, anchored_at from batch
    where tx_id = ${txId} order by position`);
}

/** For each revocation in a transaction: the attestation of the etch's commitment as it stands now. */
export function revokedCommitments(
  db: Queryable,
  txId: number,
): Promise<{ batch_id: number; uid: Buffer | null; done: boolean }[]> {
  return db.query(sql`
    select b.id as batch_id, c.uid, b.anchored_at is not null as done
    from batch b join batch_leaf l on l.batch_id = b.id
    join batch_leaf k on k.kind = 0 and k.etch_id = l.etch_id
    join batch c on c.id = k.batch_id
    where b.tx_id = ${txId} order by b.position`);
}

/**
 * Stores a signed form before any byte of it is sent. False when the transaction has left the steps that sign, or
 * its payload is another one. Signing is deterministic: another process may have stored the very same form.
 */
export async function storeAttempt(
  tx: Tx,
  txId: number,
  calldata: Hex,
  attempt: Omit<Attempt, 'signedAt'>,
): Promise<boolean> {
  const rows = await tx.query(sql`
    update anchor_tx set state = case state when 'SEALED' then 'SIGNED' else state end
    where id = ${txId} and calldata = ${fromHex(calldata)} and state in ('SEALED', 'SIGNED', 'SENT', 'HALTED')
    returning id`);
  if (rows.length === 0) return false;
  await tx.query(sql`
    insert into tx_attempt (hash, tx_id, raw, max_fee_per_gas, max_priority_fee_per_gas, gas, signed_at)
    values (${fromHex(attempt.hash)}, ${txId}, ${fromHex(attempt.raw)}, ${attempt.maxFeePerGas.toString()},
      ${attempt.maxPriorityFeePerGas.toString()}, ${attempt.gas.toString()}, clock_timestamp())
    on conflict (hash) do nothing`);
  return true;
}

/** A payload may change only as long as no signed form of it exists. */
export async function replaceCalldata(tx: Tx, txId: number, calldata: Hex): Promise<void> {
  await tx.query(sql`update anchor_tx set calldata = ${fromHex(calldata)}
    where id = ${txId} and state = 'SEALED' and not exists (select from tx_attempt where tx_id = ${txId})`);
}

export async function markSent(db: Queryable, txId: number, hash: Hex): Promise<void> {
  await db.query(sql`
    with sent as (update tx_attempt set sent_at = clock_timestamp() where hash = ${fromHex(hash)})
    update anchor_tx set state = 'SENT', tx_hash = ${fromHex(hash)}
    where id = ${txId} and state in ('SIGNED', 'SENT', 'HALTED')`);
}

export async function markMined(
  db: Queryable,
  txId: number,
  mined: { hash: Hex; number: number; blockHash: Hex; timestamp: number },
): Promise<void> {
  await db.query(sql`
    update anchor_tx set state = 'MINED', tx_hash = ${fromHex(mined.hash)}, block_number = ${mined.number},
      block_hash = ${fromHex(mined.blockHash)}, block_time = to_timestamp(${mined.timestamp}::float8), note = null
    where id = ${txId} and state in ('SEALED', 'SIGNED', 'SENT', 'MINED', 'HALTED')`);
}

/** Its block is gone, or the node does not show it: the signed forms go out again. */
export async function markUnmined(db: Queryable, txId: number): Promise<void> {
  await db.query(sql`
    update anchor_tx set state = 'SENT', block_number = null, block_hash = null, block_time = null
    where id = ${txId} and state = 'MINED'`);
}

export async function markHalted(db: Queryable, txId: number, note: string): Promise<void> {
  await db.query(sql`
    update anchor_tx set state = 'HALTED', note = ${note} where id = ${txId} and state in ('SIGNED', 'SENT')`);
}

/** Final, with every attestation read back. False when the block is no longer the one that was read. */
export async function markSafe(
  tx: Tx,
  txId: number,
  blockHash: Hex,
  anchored: readonly { batchId: number; uid: Hex; time: number }[],
): Promise<boolean> {
  const rows = await tx.query(sql`
    update anchor_tx set state = 'SAFE', note = null
    where id = ${txId} and state = 'MINED' and block_hash = ${fromHex(blockHash)} returning id`);
  if (rows.length === 0) return false;
  await markAnchored(tx, anchored);
  return true;
}

export async function markAnchored(
  tx: Tx,
  anchored: readonly { batchId: number; uid: Hex; time: number }[],
): Promise<void> {
  if (anchored.length === 0) return;
  await tx.query(sql`
    update batch set uid = a.uid, anchored_at = to_timestamp(a.time)
    from unnest(${anchored.map((a) => a.batchId)}::bigint[], ${anchored.map((a) => fromHex(a.uid))}::bytea[],
      ${anchored.map((a) => a.time)}::float8[]) as a (id, uid, time)
    where batch.id = a.id`);
}

/** What was final is gone from the chain: pending again, and its signed forms go out again. */
export async function reopen(tx: Tx, txId: number, blockHash: Hex): Promise<boolean> {
  const rows = await tx.query(sql`
    update anchor_tx set state = 'SENT', block_number = null, block_hash = null, block_time = null,
      note = 'the chain lost its block'
    where id = ${txId} and state = 'SAFE' and block_hash = ${fromHex(blockHash)} returning id`);
  if (rows.length === 0) return false;
  await tx.query(sql`update batch set uid = null, anchored_at = null where tx_id = ${txId}`);
  return true;
}

/**
 * Gives up a transaction that can never do its work any more and puts its etches back in the queue. Only where
 * the caller has seen that its nonce is spent for ever, or that no signed form exists (`unsigned`).
 */
export async function loseTransaction(
  tx: Tx,
  txId: number,
  lost: { note: string; unsigned: boolean; waitSeconds: number },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update anchor_tx set
      state = case when exists (select from batch where tx_id = ${txId} and anchored_at is not null) and block_hash is not null
        then 'SAFE' else 'LOST' end,
      note = ${lost.note}
    where id = ${txId} and state not in ('SAFE', 'LOST') returning id`);
  if (rows.length === 0) return false;
  if (lost.unsigned) {
    const [signed] = await tx.query(sql`select 1 from tx_attempt where tx_id = ${txId} limit 1`);
    if (signed) throw new Error('a signed form appeared meanwhile');
  }
  for (const statement of requeueStatements(txId, lost.waitSeconds)) await tx.query(statement);
  return true;
}
