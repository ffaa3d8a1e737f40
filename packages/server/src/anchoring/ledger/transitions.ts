// Changes the state of a transaction. Every statement names the states that it may leave, so a late write changes
// nothing.
import sql from 'sql-template-tag';
import type { Hex } from '../../chain/port.ts';
import type { Queryable, Tx } from '../../db/db.ts';
import { queueAnchored } from '../../events/event-store.ts';
import { queueProof } from '../../proofs/evidence/store.ts';
import { queueWitnesses } from '../../proofs/witnesses/store.ts';
import { fromHex } from './bytes.ts';
import { requeue } from './queue.ts';
import type { Attempt, LedgerTx } from './transactions.ts';

/** in seconds */
export interface Anchored {
  batchId: number;
  uid: Hex;
  time: number;
}

/** Returns null if the transaction changed. A different process may have stored the same form. */
export async function storeAttempt(
  tx: Tx,
  { id, calldata }: Pick<LedgerTx, 'id' | 'calldata'>,
  form: Omit<Attempt, 'signedAt'>,
): Promise<Attempt | null> {
  const isOpen = await tx.hasRows(sql`
    update anchor_tx set state = case state when 'STAGED' then 'SIGNED' else state end
    where id = ${id} and calldata = ${fromHex(calldata)} and state in ('STAGED', 'SIGNED', 'SENT', 'HALTED')
    returning id`);
  if (!isOpen) return null;
  await tx.query(sql`
    insert into tx_attempt (hash, tx_id, raw, max_fee_per_gas, max_priority_fee_per_gas, gas, signed_at)
    values (${fromHex(form.hash)}, ${id}, ${fromHex(form.raw)}, ${form.maxFeePerGas.toString()},
      ${form.maxPriorityFeePerGas.toString()}, ${form.gas.toString()}, clock_timestamp())
    on conflict (hash) do nothing`);
  const signedAt = await tx.value<number | undefined>(sql`
    select floor(extract(epoch from signed_at) * 1000)::bigint as "signedAt" from tx_attempt
    where hash = ${fromHex(form.hash)} and tx_id = ${id}`);
  return signedAt === undefined ? null : { ...form, signedAt };
}

export const replaceCalldata = (tx: Tx, txId: number, calldata: Hex) =>
  tx.query(sql`update anchor_tx set calldata = ${fromHex(calldata)}
    where id = ${txId} and state = 'STAGED' and not exists (select from tx_attempt where tx_id = ${txId})`);

export const markSent = (db: Queryable, txId: number, hash: Hex) =>
  db.query(sql`
    with sent as (update tx_attempt set sent_at = clock_timestamp() where hash = ${fromHex(hash)})
    update anchor_tx set state = 'SENT', tx_hash = ${fromHex(hash)}
    where id = ${txId} and state in ('SIGNED', 'SENT', 'HALTED')`);

export const markMined = (
  db: Queryable,
  txId: number,
  mined: { hash: Hex; number: number; blockHash: Hex; timestamp: number },
) =>
  db.query(sql`
    update anchor_tx set state = 'MINED', tx_hash = ${fromHex(mined.hash)}, block_number = ${mined.number},
      block_hash = ${fromHex(mined.blockHash)}, block_time = to_timestamp(${mined.timestamp}::float8), note = null
    where id = ${txId} and state in ('STAGED', 'SIGNED', 'SENT', 'MINED', 'HALTED')`);

export const markUnmined = (db: Queryable, txId: number) =>
  db.query(sql`
    update anchor_tx set state = 'SENT', block_number = null, block_hash = null, block_time = null
    where id = ${txId} and state = 'MINED'`);

export const markHalted = (db: Queryable, txId: number, note: string) =>
  db.query(sql`
    update anchor_tx set state = 'HALTED', note = ${note} where id = ${txId} and state in ('SIGNED', 'SENT')`);

export async function markFinal(
  tx: Tx,
  txId: number,
  {
    blockHash,
    anchored,
    witnesses,
  }: { blockHash: Hex; anchored: readonly Anchored[]; witnesses: readonly string[] },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update anchor_tx set state = 'FINAL', note = null
    where id = ${txId} and state = 'MINED' and block_hash = ${fromHex(blockHash)} returning id`);
  if (rows.length === 0) return false;
  await markAnchored(tx, anchored);
  await queueProof(tx, txId);
  await queueWitnesses(tx, txId, witnesses);
  return true;
}

export async function markAnchored(tx: Tx, anchored: readonly Anchored[]): Promise<void> {
  if (anchored.length === 0) return;
  await tx.query(sql`
    update batch set uid = a.uid, anchored_at = to_timestamp(a.time)
    from unnest(${anchored.map((a) => a.batchId)}::bigint[], ${anchored.map((a) => fromHex(a.uid))}::bytea[],
      ${anchored.map((a) => a.time)}::float8[]) as a (id, uid, time)
    where batch.id = a.id`);
  await queueAnchored(
    tx,
    anchored.map(({ batchId }) => batchId),
  );
}

export async function reopen(tx: Tx, txId: number, blockHash: Hex): Promise<boolean> {
  const rows = await tx.query(sql`
    update anchor_tx set state = 'SENT', block_number = null, block_hash = null, block_time = null,
      note = 'the chain lost its block'
    where id = ${txId} and state = 'FINAL' and block_hash = ${fromHex(blockHash)} returning id`);
  if (rows.length === 0) return false;
  await tx.query(sql`update batch set uid = null, anchored_at = null where tx_id = ${txId}`);
  return true;
}

/**
 * Queues the etches again. The caller must have seen that the nonce is spent, or that no signed form exists
 * (`unsigned`).
 */
export async function loseTransaction(
  tx: Tx,
  txId: number,
  lost: { note: string; unsigned: boolean; waitSeconds: number },
): Promise<boolean> {
  const rows = await tx.query(sql`
    update anchor_tx set
      state = case when exists (select from batch where tx_id = ${txId} and anchored_at is not null) and block_hash is not null
        then 'FINAL' else 'LOST' end,
      note = ${lost.note}
    where id = ${txId} and state not in ('FINAL', 'LOST') returning id`);
  if (rows.length === 0) return false;
  if (lost.unsigned && (await tx.hasRows(sql`select 1 from tx_attempt where tx_id = ${txId} limit 1`)))
    throw new Error('a signed form appeared meanwhile');
  await requeue(tx, sql`b.tx_id = ${txId}`, lost.waitSeconds);
  return true;
}
