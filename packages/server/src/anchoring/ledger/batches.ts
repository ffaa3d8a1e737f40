import sql from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';
import { fromHex, toHex } from './bytes.ts';

export interface Batch {
  id: number;
  root: string;
  kind: 0 | 1;
  tree_version: 1 | 2;
  tree_size: number;
  attestation_uid: string;
  tx_hash: string;
  anchored_at: string;
}

export type BatchLeaf = { user_id: string; hash: string } | { hash: string };

interface Row {
  id: number;
  root: Buffer;
  kind: 0 | 1;
  tree_version: 1 | 2;
  tree_size: number;
  uid: Buffer;
  tx_hash: Buffer;
  anchored_at: string;
}

const COLUMNS = sql`b.id, b.root, b.kind, b.tree_version, b.tree_size, b.uid, t.tx_hash, b.anchored_at`;

function toBatch(row: Row): Batch {
  return {
    id: row.id,
    root: row.root.toString('hex'),
    kind: row.kind,
    tree_version: row.tree_version,
    tree_size: row.tree_size,
    attestation_uid: toHex(row.uid),
    tx_hash: toHex(row.tx_hash),
    anchored_at: row.anchored_at,
  };
}

export async function listBatches(
  db: Queryable,
  page: { limit: number; after?: { anchoredAt: string; id: number } },
): Promise<Batch[]> {
  const after = page.after
    ? sql`and (b.anchored_at, b.id) < (${page.after.anchoredAt}::timestamptz, ${page.after.id})`
    : sql``;
  const rows = await db.query<Row>(sql`
    select ${COLUMNS} from batch b join anchor_tx t on t.id = b.tx_id
    where b.anchored_at is not null and b.tree_version <> 0 ${after}
    order by b.anchored_at desc, b.id desc limit ${page.limit}`);
  return rows.map(toBatch);
}

export async function findTree(db: Queryable, root: string, kind: 0 | 1): Promise<Batch | null> {
  const [row] = await db.query<Row>(sql`
    select ${COLUMNS} from batch b join anchor_tx t on t.id = b.tx_id
    where b.root = ${fromHex(`0x${root}`)} and b.kind = ${kind} and b.anchored_at is not null and b.tree_version <> 0
    order by b.id limit 1`);
  return row ? toBatch(row) : null;
}

export async function findBatch(
  db: Queryable,
  root: string,
  kind: 0 | 1,
): Promise<(Batch & { leaves: BatchLeaf[] }) | null> {
  const batch = await findTree(db, root, kind);
  if (!batch) return null;
  const leaves = await db.query<{ user_id: string; hash: Buffer }>(sql`
    select e.user_id, e.hash from batch_leaf l join etch e on e.id = l.etch_id
    where l.batch_id = ${batch.id} order by e.hash, e.user_id`);
  return {
    ...batch,
    leaves: leaves.map(({ user_id, hash }) =>
      batch.tree_version === 1 ? { hash: hash.toString('hex') } : { user_id, hash: hash.toString('hex') },
    ),
  };
}

const PIECE = 1_024;

/**
 * In tree order (docs/protocol.md#26-packed-leaves). The database sorts: sorting ten thousand rows would block the
 * event loop.
 */
export async function findLeaves(db: Queryable, root: string, kind: 0 | 1): Promise<Buffer[] | null> {
  const batch = await findTree(db, root, kind);
  if (!batch) return null;
  const parts = batch.tree_version === 1 ? sql`e.hash` : sql`uuid_send(e.user_id) || e.hash`;
  return db.column<Buffer>(sql`
    select string_agg(parts, ''::bytea order by place) as bytes
    from (
      select parts, place, (place - 1) / ${PIECE}::bigint as piece
      from (
        select parts, row_number() over (order by sha256('\\x00'::bytea || parts)) as place
        from (
          select ${parts} as parts from batch_leaf l join etch e on e.id = l.etch_id where l.batch_id = ${batch.id}
        ) as leaf
      ) as placed
    ) as cut
    group by piece order by piece`);
}

export async function listLeaves(
  db: Queryable,
  batchId: number,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ etch_id: string; hash: string }[]> {
  const rows = await db.query<{ id: string; hash: Buffer }>(sql`
    select e.id, e.hash from batch_leaf l join etch e on e.id = l.etch_id
    where l.batch_id = ${batchId} order by e.hash, e.user_id limit ${limit} offset ${offset}`);
  return rows.map(({ id, hash }) => ({ etch_id: id, hash: hash.toString('hex') }));
}
