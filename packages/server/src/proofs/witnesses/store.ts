import type { AttestationData } from '@svc/protocol';
import sql, { type Sql } from 'sql-template-tag';
import type { Db, Queryable, Tx } from '../../db/db.ts';

export interface DueBatch extends AttestationData {
  batchId: number;
  tries: number;
  proof: Buffer | null;
  old: boolean;
}

/** The dependencies of a task that makes proofs. */
export interface ProofWork {
  db: Db;
  now: () => number;
  log: { warn(fields: object, message: string): void };
}

export interface WitnessRow {
  of: 0 | 1;
  uid: Buffer;
  kind: string;
  proof: Buffer;
}

const FIRST_PAUSE_SECONDS = 30;
const LONGEST_PAUSE_SECONDS = 3_600;
const CLAIMED_SECONDS = 300;
const WORTH_IT = sql`interval '7 days'`;

/** A revocation has no data. A tree of a former chain keeps its witnesses: new ones would have a later time. */
const queue = (kinds: readonly string[], which: Sql): Sql => sql`
  insert into witness (batch_id, kind, due_at)
  select b.id, k.kind, to_timestamp(0) from batch b cross join unnest(${kinds}::text[]) as k (kind)
  where ${which} and b.anchored_at is not null and not (b.kind = 1 and b.tree_version = 0)
    and not exists (select from former_attestation f where f.batch_id = b.id)
  on conflict do nothing`;

export async function queueWitnesses(tx: Tx, txId: number, kinds: readonly string[]): Promise<void> {
  if (kinds.length > 0) await tx.query(queue(kinds, sql`b.tx_id = ${txId}`));
}

/** Queues trees of the last day that lack this kind, after a process ran without it. */
export const queueMissedWitnesses = (db: Queryable, kinds: readonly string[], now: string) =>
  db.query(queue(kinds, sql`b.anchored_at > ${now}::timestamptz - interval '1 day'`));

/** Newest first. Other processes skip these trees for a while. */
export async function takeDueBatches(db: Queryable, kind: string, now: string, most: number) {
  const rows = await db.query<DueBatch>(sql`
    update witness w set due_at = ${now}::timestamptz + make_interval(secs => ${CLAIMED_SECONDS})
    from batch b
    where b.id = w.batch_id and w.kind = ${kind} and w.batch_id in (
      select d.batch_id from witness d where d.kind = ${kind} and d.due_at <= ${now}
      order by d.due_at, d.batch_id desc limit ${most} for update skip locked)
    returning w.batch_id as "batchId", b.root, b.kind, b.tree_version as "treeVersion", b.tree_size as "treeSize", w.tries, w.proof,
      coalesce(b.anchored_at < ${now}::timestamptz - ${WORTH_IT}, false) as old`);
  return rows.sort((a, b) => b.batchId - a.batchId);
}

export const keepWitness = (
  db: Queryable,
  kind: string,
  batchId: number,
  { proof, time }: { proof: Uint8Array; time: string },
) =>
  db.query(sql`
    update witness set proof = ${Buffer.from(proof)}, time = ${time}, wait = null, due_at = null
    where batch_id = ${batchId} and kind = ${kind} and proof is null`);

export async function keepWitnessReason(
  db: Queryable,
  kind: string,
  { batchId, tries, old }: DueBatch,
  { now, wait }: { now: string; wait: string },
): Promise<void> {
  const pause = Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.min(tries, 10), LONGEST_PAUSE_SECONDS);
  await db.query(sql`
    update witness set wait = ${wait}, tries = least(tries + 1, 1000),
      due_at = case when ${old} then null else ${now}::timestamptz + make_interval(secs => ${pause}) end
    where batch_id = ${batchId} and kind = ${kind} and proof is null`);
}

const FIRST_CALENDAR_PAUSE_SECONDS = 600;
const LONGEST_CALENDAR_PAUSE_SECONDS = 6 * 3_600;

export async function keepOtsProof(
  db: Queryable,
  { batchId, tries, old }: DueBatch,
  { now, proof, wait }: { now: string; proof: Uint8Array; wait: string | null },
): Promise<void> {
  const pause = Math.min(
    FIRST_CALENDAR_PAUSE_SECONDS * 2 ** Math.min(tries, 10),
    LONGEST_CALENDAR_PAUSE_SECONDS,
  );
  await db.query(sql`
    update witness set proof = ${Buffer.from(proof)}, wait = ${wait}, tries = ${Math.min(tries + 1, 1000)},
      due_at = case when ${wait === null || old} then null else ${now}::timestamptz + make_interval(secs => ${pause}) end
    where batch_id = ${batchId} and kind = 'ots'`);
}

export const witnessesOf = (db: Queryable, etchId: string) =>
  db.query<WitnessRow>(sql`
    select b.kind as of, b.uid, w.kind, w.proof
    from batch_leaf l join batch b on b.id = l.batch_id join witness w on w.batch_id = b.id
    where l.etch_id = ${etchId} and b.anchored_at is not null and w.proof is not null
    order by b.kind, w.kind`);
