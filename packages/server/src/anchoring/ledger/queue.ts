// The etches and retractions that wait for a tree. One set aside (`halted`) waits for an operator.
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Hex } from '../../chain/port.ts';
import { prepared, type Queryable, type Tx } from '../../db/db.ts';
import { dropTrees } from '../../proofs/log/entries.ts';
import { fromHex } from './bytes.ts';

/** An etch that waits to be attested or retracted. */
export interface Candidate {
  kind: 0 | 1;
  etchId: string;
  userId: string;
  hash: Buffer;
  /** no block may be older */
  notBefore: string;
  tries: number;
  treeVersion: 0 | 1 | 2;
  /** of the attestation that a revocation revokes */
  uid?: Buffer;
}

export interface JobRow extends Omit<Candidate, 'treeVersion' | 'uid'> {
  queuedAt: string;
  createdAt: string;
  status: 'sealed' | 'revealed' | 'retracted';
  content: string | null;
  salt: Buffer | null;
  sealed: Buffer | null;
}

const CANDIDATE = sql`j.kind, j.etch_id as "etchId", j.tries, e.user_id as "userId", e.hash`;
const TOMBSTONE = sql`${CANDIDATE}, greatest(j.created_at, e.created_at) as "notBefore"`;
const READY = sql`j.halted is null and (j.retry_at is null or j.retry_at <= clock_timestamp())`;

export const isAnythingQueued = (db: Queryable) =>
  db.value<boolean>(
    prepared(sql`
      select exists (select from anchor_job) or exists (select from batch where tx_id is null) as queued`),
  );

export function takeCommitments(tx: Tx, limit: number, behind?: Pick<JobRow, 'queuedAt' | 'etchId'>) {
  const further = behind
    ? sql`and (j.created_at, j.etch_id) > (${behind.queuedAt}::timestamptz, ${behind.etchId}::uuid)`
    : empty;
  return tx.query<JobRow>(sql`
    select ${CANDIDATE}, e.created_at as "notBefore", j.created_at as "queuedAt", e.created_at as "createdAt", e.status,
      e.content, e.salt, e.sealed from anchor_job j join etch e on e.id = j.etch_id
    where j.kind = 0 and ${READY} ${further}
      and not exists (select from batch_leaf l where l.kind = 0 and l.etch_id = j.etch_id)
    order by j.created_at, j.etch_id limit ${limit} for update of j skip locked`);
}

/** Takes only retractions whose commitment this sender anchored (docs/specification.md#merkle-rules). */
export const takeTombstones = (tx: Tx, sender: Hex, limit: number) =>
  tx.query<Candidate>(sql`
    with waiting as materialized (select etch_id from anchor_job j where j.kind = 1 and ${READY})
    select ${TOMBSTONE}, b.tree_version as "treeVersion", b.uid
    from waiting w join anchor_job j on j.etch_id = w.etch_id join etch e on e.id = j.etch_id
    join batch_leaf l on l.kind = 0 and l.etch_id = j.etch_id
    join batch b on b.id = l.batch_id and b.anchored_at is not null and b.uid is not null
    join anchor_tx t on t.id = b.tx_id and t.sender = ${fromHex(sender)}
    where j.kind = 1 and ${READY}
      and not exists (select from batch_leaf t where t.kind = 1 and t.etch_id = j.etch_id)
    order by j.created_at, j.etch_id limit ${limit} for update of j skip locked`);

/** Whether a retraction waits that only an earlier relayer can attest. */
export const hasTombstoneOfAnother = (db: Queryable, sender: Hex) =>
  db.hasRows(sql`
    select 1 from anchor_job j
    join batch_leaf l on l.kind = 0 and l.etch_id = j.etch_id
    join batch b on b.id = l.batch_id join anchor_tx t on t.id = b.tx_id
    where j.kind = 1 and j.halted is null and t.sender <> ${fromHex(sender)} limit 1`);

/** Takes the retractions of these etches, which are committed now in trees of this version. */
export const takeTombstonesOf = (tx: Tx, etchIds: readonly string[], treeVersion: 1 | 2) =>
  tx.query<Candidate>(sql`
    select ${TOMBSTONE}, ${treeVersion}::smallint as "treeVersion" from anchor_job j join etch e on e.id = j.etch_id
    where j.kind = 1 and ${READY} and j.etch_id = any(${etchIds}::uuid[])
    order by j.created_at, j.etch_id for update of j skip locked`);

export const haltJob = (tx: Tx, job: Pick<Candidate, 'kind' | 'etchId'>, reason: string) =>
  tx.query(sql`
    update anchor_job set halted = ${reason} where kind = ${job.kind} and etch_id = ${job.etchId}`);

export const releaseHaltedJobs = (db: Queryable) =>
  db.countRows(sql`update anchor_job set halted = null where halted is not null returning 1`);

export const deleteJobs = (tx: Tx, kind: 0 | 1, etchIds: readonly string[]) =>
  tx.query(sql`delete from anchor_job where kind = ${kind} and etch_id = any(${etchIds}::uuid[])`);

/**
 * Counts one more try for each batch. A tree with an attestation on a former chain waits unchanged. The etches of
 * other trees are queued.
 * @param of a condition on the batches `b`
 */
export async function requeue(tx: Tx, of: Sql, waitSeconds: number): Promise<void> {
  const lost = sql`select b.id from batch b where ${of} and b.anchored_at is null`;
  await tx.query(sql`
    update batch set tx_id = null, tries = t.tries + 1, retry_at = ${retryAt(waitSeconds)}
    from anchor_tx t where t.id = batch.tx_id and batch.id in (${lost})
      and exists (select from former_attestation f where f.batch_id = batch.id)`);
  await dissolve(tx, lost, waitSeconds);
}

const retryAt = (seconds: number): Sql => sql`clock_timestamp() + ${seconds}::float8 * interval '1 second'`;

export async function dissolve(tx: Tx, lost: Sql, waitSeconds: number): Promise<void> {
  await dropTrees(tx, lost);
  const statements = [
    sql`insert into anchor_job (kind, etch_id, created_at, tries, retry_at)
      select l.kind, l.etch_id, case l.kind when 0 then e.created_at else coalesce(e.retracted_at, e.created_at) end,
        coalesce(t.tries, b.tries) + 1, ${retryAt(waitSeconds)}
      from batch_leaf l join etch e on e.id = l.etch_id
      join batch b on b.id = l.batch_id left join anchor_tx t on t.id = b.tx_id
      where l.batch_id in (${lost})`,
    sql`delete from batch_leaf where batch_id in (${lost})`,
    sql`delete from batch where id in (${lost})`,
  ];
  for (const statement of statements) await tx.query(statement);
}
