// Writes new transactions with their trees (STAGED), and empty ones for missing nonces.
import type { AttestationData } from '@svc/protocol';
import sql from 'sql-template-tag';
import type { Hex } from '../../chain/port.ts';
import { prepared, type Queryable, type Tx } from '../../db/db.ts';
import { appendTrees } from '../../proofs/log/entries.ts';
import { fromHex } from './bytes.ts';
import { type Candidate, deleteJobs } from './queue.ts';
import type { Action } from './transactions.ts';

export interface BatchDraft extends Pick<Candidate, 'notBefore' | 'tries'> {
  /** set for a waiting tree of a former chain: its row, leaves and log entry exist */
  id?: number;
  position?: number;
  kind: 0 | 1;
  treeVersion: 0 | 1 | 2;
  root: Uint8Array;
  treeSize: number;
  members: { etchId: string; proof: Uint8Array }[];
  /** of the attestation to revoke */
  uid?: Buffer | null | undefined;
}

export const nextLedgerNonce = (db: Queryable, sender: Hex) =>
  db.value<number | null>(
    prepared(sql`
    select max(nonce) + 1 as next from anchor_tx where sender = ${fromHex(sender)} and state <> 'LOST'`),
  );

export const holdsNonce = (db: Queryable, sender: Hex, nonce: number) =>
  db.hasRows(sql`
    select 1 from anchor_tx where sender = ${fromHex(sender)} and nonce = ${nonce} and state <> 'LOST'`);

/** About 50 kB of proofs. Other queries run between two inserts. */
const LEAVES_AT_ONCE = 1_000;

interface Staged {
  sender: Hex;
  nonce: number;
  calldata: Hex;
  action: Action;
  batches: readonly BatchDraft[];
  /** every tree of the calldata, by position, if `batches` lacks some */
  attested?: readonly (AttestationData | null)[];
  /** trees may be missing from the log before these */
  doubtful?: boolean;
}

/** Also removes the jobs. */
export async function insertStaged(
  tx: Tx,
  { sender, nonce, calldata, action, batches, attested = batches, doubtful }: Staged,
): Promise<number> {
  const notBefore = newest(['1970-01-01T00:00:00.000Z', ...batches.map((batch) => batch.notBefore)]);
  const tries = Math.max(0, ...batches.map((batch) => batch.tries));
  const txId = await tx.value<number>(sql`
    insert into anchor_tx (sender, nonce, action, calldata, state, tries, not_before, staged_at)
    values (${fromHex(sender)}, ${nonce}, ${action}, ${fromHex(calldata)}, 'STAGED', ${tries}, ${notBefore}::timestamptz,
      clock_timestamp())
    returning id`);
  const ids = await insertBatches(tx, txId, batches);
  const again = new Set(
    batches.flatMap(({ id, position }, at) => (id === undefined ? [] : (position ?? at))),
  );
  if (action === 'attest')
    await appendTrees(
      tx,
      attested.flatMap((tree, at) =>
        tree && !again.has(at) ? [{ ...tree, batchId: ids.get(at) ?? null }] : [],
      ),
      doubtful,
    );
  for (const kind of [0, 1] as const) {
    const members = batches.flatMap((batch, at) =>
      batch.kind === kind
        ? batch.members.map((member) => ({ ...member, batchId: ids.get(batch.position ?? at)! }))
        : [],
    );
    if (members.length === 0) continue;
    for (let from = 0; from < members.length; from += LEAVES_AT_ONCE) {
      const some = members.slice(from, from + LEAVES_AT_ONCE);
      await tx.query(sql`
        insert into batch_leaf (kind, etch_id, batch_id, proof)
        select ${kind}::smallint, etch_id, batch_id, proof
        from unnest(${some.map((member) => member.etchId)}::uuid[], ${some.map((member) => member.batchId)}::bigint[],
          ${some.map((member) => member.proof)}::bytea[]) as m (etch_id, batch_id, proof)`);
    }
    await deleteJobs(
      tx,
      kind,
      members.map((member) => member.etchId),
    );
  }
  return txId;
}

export const newest = (times: readonly string[]): string => times.reduce((a, b) => (b > a ? b : a));

/** Inserts empty transactions for missing nonces, `from` to below `end` and the ledger's last nonce. */
export async function insertFillers(tx: Tx, gap: { sender: Hex; calldata: Hex; from: number; end: number }) {
  const { sender, calldata } = gap;
  const end = Math.min(gap.end, (await nextLedgerNonce(tx, sender)) ?? gap.end);
  for (let nonce = gap.from; nonce < end; nonce++)
    if (!(await holdsNonce(tx, sender, nonce)))
      await insertStaged(tx, { sender, nonce, calldata, action: 'fill', batches: [] });
}

async function insertBatches(tx: Tx, txId: number, batches: readonly BatchDraft[]) {
  const placed = batches.map((batch, at) => ({ ...batch, position: batch.position ?? at }));
  const waiting = placed.filter((batch): batch is typeof batch & { id: number } => batch.id !== undefined);
  const ids = new Map(waiting.map(({ id, position }) => [position, id]));
  if (waiting.length > 0)
    await tx.query(sql`
      update batch set tx_id = ${txId}, position = w.position, retry_at = null
      from unnest(${waiting.map(({ id }) => id)}::bigint[], ${waiting.map((b) => b.position)}::integer[])
        as w (id, position) where batch.id = w.id`);
  const fresh = placed.filter(({ id }) => id === undefined);
  if (fresh.length === 0) return ids;
  const rows = await tx.query<{ id: number; position: number }>(sql`
    insert into batch (tx_id, position, kind, tree_version, root, tree_size)
    select ${txId}, position, kind, tree_version, root, tree_size
    from unnest(${fresh.map((b) => b.position)}::integer[], ${fresh.map((b) => b.kind)}::smallint[],
      ${fresh.map((b) => b.treeVersion)}::smallint[], ${fresh.map((b) => b.root)}::bytea[],
      ${fresh.map((b) => b.treeSize)}::integer[]) as b (position, kind, tree_version, root, tree_size)
    returning id, position`);
  for (const row of rows) ids.set(row.position, row.id);
  return ids;
}
