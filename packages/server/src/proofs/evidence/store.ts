import type { AttestationData } from '@svc/protocol';
import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../../db/db.ts';

export interface BatchRow extends AttestationData {
  uid: Buffer;
  sender: Buffer;
}

const TREE = sql`b.kind, b.tree_version as "treeVersion", b.root, b.tree_size as "treeSize"`;

export interface DueTransaction {
  txId: number;
  txHash: string;
  blockHash: string;
  tries: number;
}

export interface KeptProof {
  header: Uint8Array;
  transaction_index: number;
  nodes: Uint8Array;
}

export type BatchWithProof = BatchRow & { wait?: string | null } & (
    | KeptProof
    | { [Field in keyof KeptProof]: null }
  );

/** Each pause is longer than the last. After the last try, only a client's request retries, once a day. */
const MOST_TRIES = 10;
const FIRST_PAUSE_SECONDS = 60;
const CLAIMED_SECONDS = 300;

const ANEW = sql`on conflict (tx_id) do update set block_hash = null, header = null, transaction_index = null, nodes = null,
  wait = null, tries = 0, tried_at = null, due_at = excluded.due_at`;

/** Runs in the transaction that makes `txId` final. */
export const queueProof = (tx: Tx, txId: number) =>
  tx.query(sql`
    insert into evidence (tx_id, due_at)
    select id, to_timestamp(0) from anchor_tx where id = ${txId} and action <> 'fill' ${ANEW}`);

/** Queues transactions from before this feature and from backups without proofs. */
export const queueMissing = (db: Queryable) =>
  db.query(sql`
    insert into evidence (tx_id, due_at)
    select t.id, to_timestamp(0) from anchor_tx t left join evidence e on e.tx_id = t.id
    where t.state = 'FINAL' and t.action <> 'fill' and (e.tx_id is null or e.block_hash <> t.block_hash) ${ANEW}`);

/** Newest first. Other processes skip these transactions for a while. */
export const takeDue = (db: Queryable, now: string, most: number) =>
  db.query<DueTransaction>(sql`
    update evidence e set due_at = ${now}::timestamptz + make_interval(secs => ${CLAIMED_SECONDS})
    from anchor_tx t
    where t.id = e.tx_id and e.tx_id in (
      select d.tx_id from evidence d join anchor_tx f on f.id = d.tx_id
      where d.due_at <= ${now} and f.state = 'FINAL' and f.tx_hash is not null
      order by d.due_at, d.tx_id desc limit ${most} for update of d skip locked)
    returning e.tx_id as "txId", '0x' || encode(t.tx_hash, 'hex') as "txHash",
      '0x' || encode(t.block_hash, 'hex') as "blockHash", e.tries`);

export const batchesOf = (db: Queryable, txId: number) =>
  db.query<BatchRow>(sql`
    select ${TREE}, b.uid, t.sender
    from batch b join anchor_tx t on t.id = b.tx_id
    where b.tx_id = ${txId} and b.anchored_at is not null order by b.position`);

const bytes = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');

/** Stores nothing if the transaction has moved to a different block. */
export const keepProof = (db: Queryable, { txId, blockHash }: DueTransaction, proof: KeptProof) =>
  db.query(sql`
    update evidence e set block_hash = t.block_hash, header = ${proof.header},
      transaction_index = ${proof.transaction_index}, nodes = ${proof.nodes}, wait = null, due_at = null
    from anchor_tx t
    where e.tx_id = ${txId} and t.id = e.tx_id and t.state = 'FINAL' and t.block_hash = ${bytes(blockHash)}`);

/** A momentary fault does not count as a try. */
export async function keepReason(
  db: Queryable,
  { txId, blockHash, tries }: DueTransaction,
  now: string,
  { wait, passing }: { wait: string; passing: boolean },
): Promise<{ givenUp: boolean }> {
  const tried = passing ? tries : tries + 1;
  const givenUp = tried >= MOST_TRIES;
  const pause = FIRST_PAUSE_SECONDS * 2 ** (passing ? 0 : tries);
  await db.query(sql`
    update evidence e set wait = ${wait}, tries = ${tried}, tried_at = ${now}::timestamptz,
      due_at = case when ${givenUp} then null else ${now}::timestamptz + make_interval(secs => ${pause}) end
    from anchor_tx t
    where e.tx_id = ${txId} and e.header is null and t.id = e.tx_id and t.block_hash = ${bytes(blockHash)}`);
  return { givenUp };
}

export const forgetProofs = (db: Queryable, txIds: readonly number[]) =>
  db.query(sql`
    insert into evidence (tx_id, due_at) select unnest(${txIds}::bigint[]), to_timestamp(0) ${ANEW}`);

export async function tryAgain(db: Queryable, txIds: readonly number[], now: string): Promise<void> {
  if (txIds.length === 0) return;
  await db.query(sql`
    update evidence set due_at = ${now}, tries = ${MOST_TRIES - 1}
    where tx_id = any(${txIds}::bigint[]) and header is null and due_at is null
      and tried_at < ${now}::timestamptz - interval '1 day'`);
}

export const dropProofs = (tx: Tx) => tx.query(sql`delete from evidence`);

export const formerBatches = (db: Queryable, etchId: string) =>
  db.query<BatchWithProof & { chain_id: number }>(sql`
    select ${TREE}, f.uid, t.sender, t.header, t.transaction_index, t.nodes, c.chain_id
    from batch_leaf l
    join batch b on b.id = l.batch_id
    join former_attestation f on f.batch_id = b.id
    join former_tx t on t.id = f.tx_id
    join former_chain c on c.id = t.chain
    where l.etch_id = ${etchId}`);

export const provenBatches = (db: Queryable, etchId: string) =>
  db.query<BatchWithProof & { tx_id: number; block_hash: Buffer }>(sql`
    select ${TREE}, b.uid, t.sender, t.id as tx_id, t.block_hash,
      e.header, e.transaction_index, e.nodes, e.wait
    from batch_leaf l
    join batch b on b.id = l.batch_id
    join anchor_tx t on t.id = b.tx_id
    left join evidence e on e.tx_id = t.id and (e.block_hash is null or e.block_hash = t.block_hash)
    where l.etch_id = ${etchId} and b.anchored_at is not null`);
