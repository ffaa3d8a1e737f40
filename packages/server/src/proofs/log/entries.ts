// The entries of the log of trees. A tree enters it in the transaction that stages the tree.
import { type AttestationData, encodeAttestationData } from '@svc/protocol';
import { entryHash, foldHashes, type ReadSubtree, TILE_WIDTH } from '@svc/protocol/tlog';
import { readIndexData } from '@svc/protocol/account-index';
import sql, { type Sql } from 'sql-template-tag';
import type { Db, Queryable, Tx } from '../../db/db.ts';
import { packedLeaves, resetIndex } from '../account-index/index-store.ts';

export type LoggedTree = AttestationData & { batchId: number | null };

/** Runs in the transaction that stages the trees. @param doubtful trees may be missing before them */
export async function appendTrees(tx: Tx, trees: readonly LoggedTree[], doubtful = false): Promise<void> {
  const rows = trees.map((tree) => ({
    data: Buffer.from(encodeAttestationData(tree)),
    batch_id: tree.batchId,
    doubtful,
    given_up: false,
    leaves: null,
  }));
  // Waits for an index entry that is being inserted.
  await tx.query(sql`lock table log_entry in row exclusive mode`);
  await append(tx, await logSize(tx), rows);
}

interface EntryRow {
  data: Buffer;
  batch_id: number | null;
  doubtful: boolean;
  given_up: boolean;
  /** of a given-up tree of version 2 */
  leaves: Buffer | null;
}

async function append(tx: Tx, from: number, rows: readonly EntryRow[]): Promise<void> {
  if (rows.length === 0) return;
  const data = rows.map((row) => row.data);
  await tx.query(sql`
    insert into log_entry (index, data, batch_id, doubtful, given_up, leaves)
    select ${from}::bigint + n - 1, data, batch_id, doubtful, given_up, leaves
    from unnest(${data}::bytea[], ${rows.map((row) => row.batch_id)}::bigint[], ${rows.map((row) => row.doubtful)}::boolean[],
      ${rows.map((row) => row.given_up)}::boolean[], ${rows.map((row) => row.leaves)}::bytea[])
      with ordinality as t (data, batch_id, doubtful, given_up, leaves, n)`);
  await insertHashes(tx, 0, from, data.map(entryHash));
  const size = from + rows.length;
  if (Math.floor(from / TILE_WIDTH) < Math.floor(size / TILE_WIDTH)) await completeHashes(tx, size);
}

/** No tree enters or leaves the log during `work`. */
export const withFixedLog = <T>(db: Db, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.tx(async (tx) => {
    await tx.query(sql`lock table log_entry in share mode`);
    return work(tx);
  });

/** Nothing enters or leaves the log until the transaction ends, except from it. */
export const lockLog = (tx: Tx) => tx.query(sql`lock table log_entry in share row exclusive mode`);

const ROW = sql`select index, data, batch_id, doubtful, given_up, leaves from log_entry`;

/** Later entries, which no checkpoint has, move up. The caller locked the log. */
export async function insertIndexEntry(tx: Tx, index: number, data: Uint8Array): Promise<void> {
  const later = await tx.query<EntryRow>(sql`${ROW} where index >= ${index} order by index`);
  if (later.length > 0) await removeFrom(tx, index);
  const entry = { data: Buffer.from(data), batch_id: null, doubtful: false, given_up: false, leaves: null };
  await append(tx, index, [entry, ...later]);
}

async function removeFrom(tx: Tx, index: number): Promise<void> {
  await tx.query(sql`delete from log_entry where index >= ${index}`);
  await tx.query(
    sql`delete from log_hash where (index + 1) * power(${TILE_WIDTH}::numeric, level) > ${index}`,
  );
}

/**
 * Removes given-up trees that are in no checkpoint, with the index entries behind them: a restored database could not
 * read them from the chain. With witnesses they stay, because a checkpoint that this database forgot may have them.
 */
export async function dropTrees(tx: Tx, batches: Sql): Promise<void> {
  await tx.query(sql`lock table log_entry in row exclusive mode`);
  await tx.query(sql`
    update log_entry t set given_up = true,
      leaves = case when get_byte(t.data, 95) = 2 then ${packedLeaves(sql`t.batch_id`)} end
    where batch_id in (${batches})`);
  const first = await tx.value<number | null>(sql`
    select min(index) as first from log_entry where batch_id in (${batches}) and not exists (select from log_witness)
      and index >= (select coalesce(max(size), 0) from log_checkpoint)`);
  if (first === null) return;
  const rows = await tx.query<EntryRow>(sql`${ROW} where index >= ${first} order by index`);
  await removeFrom(tx, first);
  await resetIndex(tx, first);
  const stays = ({ given_up: isGivenUp, data }: EntryRow) => !isGivenUp && readIndexData(data) === null;
  await append(tx, first, rows.filter(stays));
}

const insertHashes = (tx: Queryable, level: number, from: number, hashes: readonly Uint8Array[]) =>
  tx.query(sql`
    insert into log_hash (level, index, hash) select ${level}, ${from}::bigint + n - 1, hash
    from unnest(${hashes.map((hash) => Buffer.from(hash))}::bytea[]) with ordinality as t (hash, n)
    on conflict do nothing`);

export async function completeHashes(db: Queryable, size: number): Promise<void> {
  for (let level = 1; size >= TILE_WIDTH ** level; level++) {
    const have = await db.value<number>(sql`
      select coalesce(max(index) + 1, 0) as have from log_hash where level = ${level}`);
    for (let at = have; at < Math.floor(size / TILE_WIDTH ** level); at++)
      await insertHashes(db, level, at, [
        foldHashes(await readHashes(db, level - 1, at * TILE_WIDTH, TILE_WIDTH)),
      ]);
  }
}

export const logSize = (db: Queryable) =>
  db.value<number>(sql`select coalesce(max(index) + 1, 0) as size from log_entry`);

/** Counts the entries before the first doubtful one from this index on. */
export const certainSize = (db: Queryable, from: number) =>
  db.value<number>(sql`
    select coalesce(
      (select min(index) from log_entry where index >= ${from} and doubtful),
      (select max(index) + 1 from log_entry), 0) as size`);

export const hasDoubtful = (db: Queryable, from: number) =>
  db.hasRows(sql`select 1 from log_entry where index >= ${from} and doubtful limit 1`);

/**
 * Counts the entries before the first one from this index on whose attestation may still miss the chain.
 * @param options.givenUp whether to pass trees that the chain never has
 */
export const finalSize = (db: Queryable, from: number, { givenUp }: { givenUp: boolean }) =>
  db.value<number>(sql`
    select coalesce(
      (select min(e.index) from log_entry e left join batch b on b.id = e.batch_id left join anchor_tx t on t.id = b.tx_id
        where e.index >= ${from} and (t.state not in ('FINAL', 'LOST') or (e.given_up and not ${givenUp}))),
      (select max(index) + 1 from log_entry), 0) as size`);

export async function readHashes(db: Queryable, level: number, from: number, count: number) {
  const hashes = await db.column<Buffer>(sql`
    select hash from log_hash where level = ${level} and index >= ${from} and index < ${from + count} order by index`);
  if (hashes.length !== count)
    throw new Error(`the log of trees has no ${count} hashes of level ${level} from ${from}`);
  return hashes;
}

export const readEntries = (db: Queryable, from: number, count: number) =>
  db.column<Buffer>(sql`
    select data from log_entry where index >= ${from} and index < ${from + count} order by index`);

export const subtreesOf =
  (db: Queryable): ReadSubtree =>
  async (height, index) => {
    const [level, width] = [Math.floor(height / 8), 2 ** (height % 8)];
    return foldHashes(await readHashes(db, level, index * width, width));
  };
