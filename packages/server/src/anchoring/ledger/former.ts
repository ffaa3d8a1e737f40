// Trees that were attested on a former chain only and wait to be attested on the present one.
import sql, { type Sql } from 'sql-template-tag';
import type { Chain, Hex } from '../../chain/port.ts';
import type { Queryable, Tx } from '../../db/db.ts';
import { dropProofs } from '../../proofs/evidence/store.ts';
import { fromHex } from './bytes.ts';
import { dissolve, requeue } from './queue.ts';
import type { BatchDraft } from './staging.ts';

/** A tree that was attested on a former chain only (docs/decisions/0026-leaving-a-chain.md). */
export type WaitingTree = BatchDraft & { id: number };

/** The commitments of a tombstone's tree `b`: `k` their trees, `t` their transactions. */
const COMMITTED = sql`from batch_leaf l left join batch_leaf c on c.kind = 0 and c.etch_id = l.etch_id
  left join batch k on k.id = c.batch_id left join anchor_tx t on t.id = k.tx_id where l.batch_id = b.id`;
const WAITS = sql`b.tx_id is null and (b.retry_at is null or b.retry_at <= clock_timestamp())`;

export const takeWaitingCommitments = (tx: Tx, limit: number): Promise<WaitingTree[]> =>
  take(tx, sql`b.kind = 0`, limit);

/**
 * Takes only tombstones whose commitments this sender attested on the new chain
 * (docs/specification.md#merkle-rules).
 */
export async function takeWaitingTombstones(
  tx: Tx,
  sender: Hex,
  { inTrees, limit }: { inTrees: boolean; limit: number },
): Promise<WaitingTree[]> {
  const open = sql`select ${COMMITTED} and k.anchored_at is null`;
  const foreign = sql`select ${COMMITTED} and t.sender <> ${fromHex(sender)}`;
  const which = sql`b.kind = 1 and ${inTrees ? sql`b.tree_version <> 0` : sql`b.tree_version = 0`} and not exists (${open})`;
  // The relayer key changed: each tombstone waits for the key of its own commitment.
  const ids = await tx.column<number>(
    sql`select b.id from batch b where ${WAITS} and ${which} and exists (${foreign}) for update skip locked`,
  );
  if (ids.length > 0) await dissolve(tx, sql`select unnest(${ids}::bigint[])`, 0);
  return take(tx, which, limit);
}

export function lockWaiting(tx: Tx, roots: readonly Uint8Array[]): Promise<WaitingTree[]> {
  return take(
    tx,
    sql`b.root = any(${roots.map((root) => Buffer.from(root))}::bytea[])`,
    1_000,
    sql`b.tx_id is null`,
  );
}

async function take(tx: Tx, which: Sql, limit: number, waits = WAITS): Promise<WaitingTree[]> {
  const rows = await tx.query<Omit<WaitingTree, 'members'>>(sql`
    select b.id, b.kind, b.tree_version as "treeVersion", b.root, b.tree_size as "treeSize", b.tries,
      (select max(anchored_at) from former_attestation f where f.batch_id = b.id) as "notBefore",
      case when b.kind = 1 and b.tree_version = 0 then (select k.uid ${COMMITTED}) end as uid
    from batch b where ${waits} and ${which} order by b.id limit ${limit} for update of b skip locked`);
  return rows.map((row) => ({ ...row, members: [] }));
}

/**
 * Moves the attestations to the tables `former_*` and binds the database to a different chain, where its trees
 * wait to be attested again. Work that was not final is queued again. The caller holds the lease.
 */
export async function leaveChain(
  tx: Tx,
  name: string,
  to: Awaited<ReturnType<Chain['identity']>> & Pick<Chain, 'contract' | 'schemaUid'>,
): Promise<void> {
  const left = await tx.value<number>(sql`
    insert into former_chain (name, chain_id, genesis_hash, contract, schema_uid, left_at)
    select ${name}, chain_id, genesis_hash, contract, schema_uid, clock_timestamp() from chain_state returning id`);
  await requeue(tx, sql`b.tx_id is not null`, 0);
  const statements = [
    sql`insert into former_tx (id, chain, sender, tx_hash, block_hash, header, transaction_index, nodes)
      select t.id, ${left}, t.sender, t.tx_hash, t.block_hash, e.header, e.transaction_index, e.nodes
      from anchor_tx t left join evidence e on e.tx_id = t.id and e.block_hash = t.block_hash
      where exists (select from batch b where b.tx_id = t.id)`,
    sql`insert into former_attestation (batch_id, tx_id, uid, anchored_at)
      select id, tx_id, uid, anchored_at from batch where tx_id is not null`,
    sql`update batch set tx_id = null, uid = null, anchored_at = null, tries = 0, retry_at = null`,
    sql`update anchor_job set tries = 0, retry_at = null`,
    sql`delete from tx_attempt`,
    sql`delete from anchor_tx`,
    sql`update chain_state set chain_id = ${to.chainId}, genesis_hash = ${fromHex(to.genesisHash)},
      contract = ${fromHex(to.contract)}, schema_uid = ${fromHex(to.schemaUid)}, failing_since = null, failure = null,
      searched = '{}'`,
  ];
  for (const statement of statements) await tx.query(statement);
  await dropProofs(tx);
}

export const countWaiting = (db: Queryable) =>
  db.value<number>(sql`select count(*) as count from batch where tx_id is null`);
