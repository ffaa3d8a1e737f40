import { encodeAttestationData } from '@svc/protocol';
import { entryHash, foldHashes, type ReadSubtree, TILE_WIDTH } from '@svc/protocol/tlog';
import sql from 'sql-template-tag';
import type { Queryable, Tx } from '../../db/db.ts';

export interface LoggedTree {
  /** null: its etches are not in the database */
  batchId: number | null;
  root: Uint8Array;
  kind: 0 | 1;
  treeVersion: 0 | 1 | 2;
  treeSize: number;
}

/** Runs in the transaction that stages the trees. */
export async function appendTrees(tx: Tx, trees: readonly LoggedTree[]): Promise<void> {
  if (trees.length === 0) return;
  const from = await logSize(tx);
  const data = trees.map((tree) => Buffer.from(encodeAttestationData(tree)));
  await tx.query(sql`
    insert into log_entry (index, data, batch_id) select ${from}::bigint + n - 1, data, batch_id
    from unnest(${data}::bytea[], ${trees.map(({ batchId }) => batchId)}::bigint[]) with ordinality as t (data, batch_id, n)`);
  await insertHashes(tx, 0, from, data.map(entryHash));
  const size = from + trees.length;
  if (Math.floor(from / TILE_WIDTH) < Math.floor(size / TILE_WIDTH)) await completeHashes(tx, size);
}

const insertHashes = (tx: Queryable, level: number, from: number, hashes: readonly Uint8Array[]) =>
  tx.query(sql`
    insert into log_hash (level, index, hash) select ${level}, ${from}::bigint + n - 1, hash
    from unnest(${hashes.map((hash) => Buffer.from(hash))}::bytea[]) with ordinality as t (hash, n)
    on conflict do nothing`);

export async function completeHashes(db: Queryable, size: number): Promise<void> {
  for (let level = 1; size >= TILE_WIDTH ** level; level++) {
    const [row] = await db.query<{ have: number }>(sql`
      select coalesce(max(index) + 1, 0) as have from log_hash where level = ${level}`);
    for (let at = row!.have; at < Math.floor(size / TILE_WIDTH ** level); at++)
      await insertHashes(db, level, at, [
        foldHashes(await readHashes(db, level - 1, at * TILE_WIDTH, TILE_WIDTH)),
      ]);
  }
}

export async function logSize(db: Queryable): Promise<number> {
  const [row] = await db.query<{ size: number }>(
    sql`select coalesce(max(index) + 1, 0) as size from log_entry`,
  );
  return row!.size;
}

/** Counts the entries before the first one whose attestation may still miss the chain. */
export async function finalSize(db: Queryable): Promise<number> {
  const [row] = await db.query<{ size: number }>(sql`
    select coalesce(
      (select min(e.index) from anchor_tx t join batch b on b.tx_id = t.id join log_entry e on e.batch_id = b.id
        where t.state not in ('FINAL', 'LOST')),
      (select max(index) + 1 from log_entry), 0) as size`);
  return row!.size;
}

/** @throws {Error} if the log lacks some */
export async function readHashes(
  db: Queryable,
  level: number,
  from: number,
  count: number,
): Promise<Buffer[]> {
  const rows = await db.query<{ hash: Buffer }>(sql`
    select hash from log_hash where level = ${level} and index >= ${from} and index < ${from + count} order by index`);
  if (rows.length !== count)
    throw new Error(`the log of trees has no ${count} hashes of level ${level} from ${from}`);
  return rows.map(({ hash }) => hash);
}

export async function readEntries(db: Queryable, from: number, count: number): Promise<Buffer[]> {
  const rows = await db.query<{ data: Buffer }>(sql`
    select data from log_entry where index >= ${from} and index < ${from + count} order by index`);
  return rows.map(({ data }) => data);
}

export const subtreesOf =
  (db: Queryable): ReadSubtree =>
  async (height, index) => {
    const [level, width] = [Math.floor(height / 8), 2 ** (height % 8)];
    return foldHashes(await readHashes(db, level, index * width, width));
  };

export interface LoggedEtch {
  kind: 0 | 1;
  index: number;
  data: Buffer;
  proof: Buffer;
}

export async function findLogged(db: Queryable, etchId: string): Promise<LoggedEtch[]> {
  return db.query<LoggedEtch>(sql`
    select l.kind, e.index, e.data, l.proof from batch_leaf l join log_entry e on e.batch_id = l.batch_id
    where l.etch_id = ${etchId} order by l.kind`);
}
