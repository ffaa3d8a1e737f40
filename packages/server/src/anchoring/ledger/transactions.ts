// Reads transactions and their signed attempts. sequence.ts changes them.
import type { AttestationData } from '@svc/protocol';
import sql from 'sql-template-tag';
import type { Fees, Hex } from '../../chain/port.ts';
import { prepared, type Queryable } from '../../db/db.ts';
import { fromHex, hex } from './bytes.ts';

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

const TX = sql`id, ${hex('sender')} as sender, nonce, action, ${hex('calldata')} as calldata, state, tries,
  floor(extract(epoch from not_before) * 1000)::bigint as "notBefore", block_number as "blockNumber",
  ${hex('block_hash')} as "blockHash"`;

/**
 * In nonce order: first transactions to send, then mined, then halted ones. Many mined ones cannot displace the
 * first.
 */
export const openTransactions = (db: Queryable, limit: number) =>
  db.query<LedgerTx>(
    prepared(sql`
    select ${TX} from anchor_tx where state not in ('FINAL', 'LOST')
    order by (state = 'HALTED'), (state = 'MINED'), nonce limit ${limit}`),
  );

export const countUnmined = (db: Queryable, sender: Hex) =>
  db.value<number>(sql`
    select count(*) as count from anchor_tx
    where state in ('STAGED', 'SIGNED', 'SENT') and sender = ${fromHex(sender)}`);

export const finalTransactions = (db: Queryable, before: number | null, limit: number) =>
  db.query<LedgerTx>(sql`
    select ${TX} from anchor_tx where state = 'FINAL' and block_number < ${before ?? 2 ** 52}
    order by block_number desc limit ${limit}`);

export const finalTransactionsIn = async (db: Queryable, blocks: readonly number[]) =>
  blocks.length === 0
    ? []
    : db.query<LedgerTx>(sql`
    select ${TX} from anchor_tx where state = 'FINAL' and block_number = any(${blocks}::bigint[])`);

export async function attemptsOf(db: Queryable, txId: number): Promise<Attempt[]> {
  const rows = await db.query<
    Pick<Attempt, 'hash' | 'raw' | 'signedAt'> & { fee: string; tip: string; gas: number }
  >(sql`
    select ${hex('hash')} as hash, ${hex('raw')} as raw, max_fee_per_gas as fee, max_priority_fee_per_gas as tip, gas,
      floor(extract(epoch from signed_at) * 1000)::bigint as "signedAt"
    from tx_attempt t where tx_id = ${txId} order by max_fee_per_gas, t.signed_at, t.hash`);
  return rows.map(({ fee, tip, gas, ...row }) => ({
    ...row,
    gas: BigInt(gas),
    maxFeePerGas: BigInt(fee),
    maxPriorityFeePerGas: BigInt(tip),
  }));
}

export const batchesOf = (db: Queryable, txId: number) =>
  db.query<AttestationData & { id: number; position: number }>(sql`
    select id, position, kind, tree_version as "treeVersion", root, tree_size as "treeSize" from batch
    where tx_id = ${txId} order by position`);

export const revokedCommitments = (db: Queryable, txId: number) =>
  db.query<{ batch_id: number; uid: Hex | null; done: boolean }>(sql`
    select b.id as batch_id, ${hex('c.uid')} as uid, b.anchored_at is not null as done
    from batch b join batch_leaf l on l.batch_id = b.id
    join batch_leaf k on k.kind = 0 and k.etch_id = l.etch_id
    join batch c on c.id = k.batch_id
    where b.tx_id = ${txId} order by b.position`);
