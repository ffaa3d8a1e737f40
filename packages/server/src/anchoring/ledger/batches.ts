// Reads trees and their leaves.
import sql from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';
import { fromHex, hex } from './bytes.ts';

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

const COLUMNS = sql`b.id, encode(b.root, 'hex') as root, b.kind, b.tree_version, b.tree_size,
  ${hex('b.uid')} as attestation_uid, ${hex('t.tx_hash')} as tx_hash, b.anchored_at`;

export function listBatches(
  db: Queryable,
  page: { limit: number; after?: { anchoredAt: string; id: number } },
): Promise<Batch[]> {
  const after = page.after
    ? sql`and (b.anchored_at, b.id) < (${page.after.anchoredAt}::timestamptz, ${page.after.id})`
    : sql``;
  return db.query<Batch>(sql`
    select ${COLUMNS} from batch b join anchor_tx t on t.id = b.tx_id
    where b.anchored_at is not null and b.tree_version <> 0 ${after}
    order by b.anchored_at desc, b.id desc limit ${page.limit}`);
}

export async function findTree(db: Queryable, root: string, kind: 0 | 1): Promise<Batch | null> {
  const batch = await db.first<Batch>(sql`
    select ${COLUMNS} from batch b join anchor_tx t on t.id = b.tx_id
    where b.root = ${fromHex(`0x${root}`)} and b.kind = ${kind} and b.anchored_at is not null and b.tree_version <> 0
    order by b.id limit 1`);
  return batch ?? null;
}

export async function findBatch(
  db: Queryable,
  root: string,
  kind: 0 | 1,
): Promise<(Batch & { leaves: BatchLeaf[] }) | null> {
  const batch = await findTree(db, root, kind);
  if (!batch) return null;
  const leaves = await db.query<{ user_id: string; hash: string }>(sql`
    select e.user_id, encode(e.hash, 'hex') as hash from batch_leaf l join etch e on e.id = l.etch_id
    where l.batch_id = ${batch.id} order by e.hash, e.user_id`);
  return { ...batch, leaves: batch.tree_version === 1 ? leaves.map(({ hash }) => ({ hash })) : leaves };
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

export const listLeaves = (
  db: Queryable,
  batchId: number,
  { limit, offset }: { limit: number; offset: number },
) =>
  db.query<{ etch_id: string; hash: string }>(sql`
    select e.id as etch_id, encode(e.hash, 'hex') as hash from batch_leaf l join etch e on e.id = l.etch_id
    where l.batch_id = ${batchId} order by e.hash, e.user_id limit ${limit} offset ${offset}`);
