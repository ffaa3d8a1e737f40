// The SQL of adopting a transaction that a restored database forgot.
import sql from 'sql-template-tag';
import type { Hex } from '../../chain/port.ts';
import type { Queryable, Tx } from '../../db/db.ts';
import { fromHex, hex } from './bytes.ts';
import type { Candidate } from './queue.ts';

/** A tombstone has the version of its commitment's tree; null: its commitment is in no tree. */
export type WaitingEtch = Omit<Candidate, 'tries' | 'uid' | 'treeVersion'> & {
  treeVersion: 0 | 1 | 2 | null;
};

export const rowAt = (tx: Tx, sender: Hex, nonce: number) =>
  tx.first<{ id: number; calldata: Hex }>(sql`
    select id, ${hex('calldata')} as calldata from anchor_tx
    where sender = ${fromHex(sender)} and nonce = ${nonce} and state <> 'LOST' for update`);

const MOST = 100_000;

export const lockQueue = (tx: Tx) =>
  tx.query<WaitingEtch>(sql`
    select j.kind, j.etch_id as "etchId", j.created_at as "notBefore", e.user_id as "userId", e.hash,
      (select b.tree_version from batch_leaf l join batch b on b.id = l.batch_id
        where l.kind = 0 and l.etch_id = j.etch_id) as "treeVersion"
    from anchor_job j join etch e on e.id = j.etch_id
    where not exists (select from batch_leaf l where l.kind = j.kind and l.etch_id = j.etch_id)
      and octet_length(e.hash) = 32
    order by j.created_at, j.etch_id limit ${MOST} for update of j`);

export const markUnplaced = (tx: Tx, txId: number, unplaced: number) =>
  tx.query(sql`
    update anchor_tx set unplaced = ${unplaced}, note = 'attested etches that this database does not know'
    where id = ${txId}`);

export const countDoubtful = (tx: Tx, blockTime: number) =>
  tx.value<number>(sql`
    select count(*) as count from anchor_job where kind = 0 and created_at <= to_timestamp(${blockTime}::float8)`);

export const unknownAttempts = (db: Queryable, hashes: readonly Hex[]) =>
  db.column<Hex>(sql`
    select ${hex('hash')} from unnest(${hashes.map(fromHex)}::bytea[]) as f (hash)
    where not exists (select from tx_attempt a where a.hash = f.hash)`);

/**
 * The block of the last final transaction before the first open or missing nonce. A key without one uses the block
 * of the key before it.
 */
export async function placeBefore(db: Queryable, sender: Hex): Promise<number | null> {
  const of = sql`sender = ${fromHex(sender)}`;
  return db.value<number | null>(sql`
    select coalesce(
      (select max(block_number) from anchor_tx where ${of} and state = 'FINAL' and nonce < coalesce(
        (select min(nonce) from anchor_tx where ${of} and state in ('STAGED', 'SIGNED', 'SENT', 'HALTED')),
        9007199254740991)),
      (select max(block_number) from anchor_tx where state = 'FINAL' and id < coalesce(
        (select min(id) from anchor_tx where ${of}), 9007199254740991))) as block`);
}

/** In seconds since 1970. The first attestation of the waiting trees, else the oldest account. */
export const oldestWork = (db: Queryable) =>
  db.value<number | null>(sql`
    select floor(extract(epoch from coalesce(
      case when exists (select from batch where tx_id is null)
        then (select min(anchored_at) from former_attestation) end,
      (select min(created_at) from account))))::bigint as oldest`);

/** Trees may be missing before this transaction if the ledger lacks its key or has a later nonce of it. */
export async function isDoubtful(tx: Tx, sender: Hex, nonce: number): Promise<boolean> {
  const of = sql`select from anchor_tx where sender = ${fromHex(sender)}`;
  return tx.value<boolean>(sql`
    select not exists (${of}) or exists (${of} and nonce > ${nonce} and state <> 'LOST') as doubtful`);
}
