// The SQL of `svc-admin chain`: attested batches, and halted transactions that may be given up.
import type { AttestationData } from '@svc/protocol';
import sql from 'sql-template-tag';
import type { Chain, Hex } from '../../chain/port.ts';
import type { Db, Queryable } from '../../db/db.ts';
import { fromHex, hex } from '../../anchoring/ledger/bytes.ts';
import { loseTransaction } from '../../anchoring/ledger/transitions.ts';
import { placeBefore, unknownAttempts } from '../../anchoring/ledger/adoption.ts';
import { attestedSince } from '../../anchoring/recovery/look-back.ts';

export interface AnchoredBatch extends AttestationData {
  id: number;
  root: Buffer;
  txId: number;
  uid: Hex;
  /** seconds */
  time: number;
  attester: Hex;
  blockHash: Hex;
  nonce: number;
}

export const anchoredBatches = (db: Queryable, after: number, limit: number) =>
  db.query<AnchoredBatch>(sql`
    select b.id, b.tx_id as "txId", b.kind, b.tree_version as "treeVersion", b.root, b.tree_size as "treeSize",
      ${hex('b.uid')} as uid, extract(epoch from b.anchored_at)::float8 as time, ${hex('t.sender')} as attester,
      ${hex('t.block_hash')} as "blockHash", t.nonce
    from batch b join anchor_tx t on t.id = b.tx_id
    where b.id > ${after} and b.anchored_at is not null and b.uid is not null and t.state = 'FINAL'
    order by b.id limit ${limit}`);

interface LedgerFacts {
  transactions: number;
  missing_nonces: number;
  next_nonce: number | null;
  unplaced: number;
  cost: string | null;
}

export const ledgerFacts = async (db: Queryable, sender: Hex): Promise<LedgerFacts> =>
  (await db.first<LedgerFacts>(sql`
    select count(*) as transactions, max(nonce) + 1 as next_nonce,
      coalesce(max(nonce) + 1 - min(nonce) - count(distinct nonce), 0)::bigint as missing_nonces,
      coalesce(sum(unplaced), 0)::bigint as unplaced,
      (select round(avg(a.gas * a.max_fee_per_gas))::text from (
        select gas, max_fee_per_gas from tx_attempt order by signed_at desc limit 50) a) as cost
    from anchor_tx where sender = ${fromHex(sender)} and state <> 'LOST'`))!;

interface HaltedTx {
  id: number;
  sender: Hex;
  nonce: number;
  note: string | null;
  etches: number;
  attempts: Hex[];
}

export const haltedTransactions = (db: Queryable) =>
  db.query<HaltedTx>(sql`
    select t.id, ${hex('t.sender')} as sender, t.nonce, t.note,
      (select coalesce(sum(tree_size), 0)::bigint from batch b where b.tx_id = t.id) as etches,
      array(select ${hex('a.hash')} from tx_attempt a where a.tx_id = t.id order by a.signed_at) as attempts
    from anchor_tx t where t.state = 'HALTED' order by t.nonce`);

export const countHaltedJobs = (db: Queryable) =>
  db.value<number>(sql`select count(*) as count from anchor_job where halted is not null`);

/** Queues its etches again. Returns false if the transaction is no longer halted. */
export function giveUpHalted(db: Db, id: number): Promise<boolean> {
  return db.tx(async (tx) => {
    if (!(await tx.hasRows(sql`select 1 from anchor_tx where id = ${id} and state = 'HALTED' for update`)))
      return false;
    return loseTransaction(tx, id, { note: 'given up by an operator', unsigned: false, waitSeconds: 0 });
  });
}

/**
 * A transaction may be given up if no endpoint reports a signed form as mined and the logs have no attestation of
 * ours at its nonce.
 * @returns why not, or undefined
 */
export async function reasonToKeep(db: Db, chain: Chain, tx: HaltedTx): Promise<string | undefined> {
  if (tx.sender !== chain.relayer) return 'another relayer key signed it: run this with that key';
  if ((await chain.minedNonce()) <= tx.nonce) return 'its nonce is not spent: it continues by itself';
  for (const hash of tx.attempts)
    if (await chain.receipt(hash)) return `${hash} is mined: it continues by itself`;
  const from = (await placeBefore(db, chain.relayer)) ?? 0;
  for (const hash of await unknownAttempts(db, await attestedSince(chain, from))) {
    const own = await chain.ownTransaction(hash);
    if (!own) return `${hash} attested under our key, and the node does not show it: try again later`;
    if (own.nonce === tx.nonce) return `${hash} spent its nonce and is ours: the running service adopts it`;
  }
  return undefined;
}
