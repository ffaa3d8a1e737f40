import sql, { empty } from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import type { Attestation, Hex } from '../chain/port.ts';

export interface FoundTombstone {
  uid: Buffer;
  /** in the single scheme: the etch's hash */
  root: Buffer;
  tree_version: 0 | 1 | 2;
  tree_size: number;
  attested_at: string;
}

const COLUMNS = sql`t.uid, t.root, t.tree_version, t.tree_size, t.attested_at`;

/** True if the ledger adopted the transaction meanwhile. */
const KNOWN = sql`exists (select from batch b where b.root = t.root and b.kind = 1)`;

/** Returns null if the position belongs to a different chain. */
export async function readSearch(db: Queryable, genesisHash: Buffer): Promise<number | null> {
  const [row] = await db.query<{ read_to: number }>(
    sql`select read_to from tombstone_search where genesis_hash = ${genesisHash}`,
  );
  return row?.read_to ?? null;
}

/** The furthest position counts. */
export const writeSearch = (db: Queryable, genesisHash: Buffer, readTo: number) =>
  db.query(sql`
    insert into tombstone_search as s (genesis_hash, read_to) values (${genesisHash}, ${readTo})
    on conflict (singleton) do update set genesis_hash = excluded.genesis_hash,
      read_to = case when s.genesis_hash = excluded.genesis_hash then greatest(s.read_to, excluded.read_to) else excluded.read_to end`);

/** Reads the blocks of final transactions and the creation of the oldest etch (ms since 1970). */
export async function readReach(db: Queryable) {
  const [row] = await db.query<{ first: number | null; last: number | null }>(sql`
    select min(block_number) as first, max(block_number) as last from anchor_tx where state = 'FINAL'`);
  const { first, last } = row!;
  if (first !== null) return { first, last, oldestEtch: null };
  const [etch] = await db.query<{ oldest: string | null }>(sql`select min(created_at) as oldest from etch`);
  return { first, last, oldestEtch: etch!.oldest === null ? null : Date.parse(etch!.oldest) };
}

/** Returns the uids that are neither in the ledger nor found before. */
export const unknownUids = (db: Queryable, kind: 0 | 1, uids: readonly Buffer[]) =>
  db.query<{ uid: Buffer }>(sql`
    select uid from unnest(${uids}::bytea[]) as u (uid)
    where not exists (select from batch b where b.uid = u.uid and b.kind >= ${kind})
      and not exists (select from chain_tombstone t where t.uid = u.uid)`);

export const insertFound = (db: Queryable, found: readonly FoundTombstone[]) =>
  db.countRows(sql`
    insert into chain_tombstone (uid, root, tree_version, tree_size, attested_at, state)
    select ${COLUMNS}, 'unmatched' from unnest(${found.map(({ uid }) => uid)}::bytea[],
      ${found.map(({ root }) => root)}::bytea[], ${found.map((one) => one.tree_version)}::smallint[],
      ${found.map((one) => one.tree_size)}::integer[], ${found.map((one) => one.attested_at)}::timestamptz[])
      as t (uid, root, tree_version, tree_size, attested_at)
    where not ${KNOWN} on conflict do nothing returning 1`);

export const listUnmatched = (db: Queryable) =>
  db.query<FoundTombstone>(sql`
    select ${COLUMNS} from chain_tombstone t where t.state = 'unmatched' and not ${KNOWN} order by t.attested_at, t.uid`);

export const setState = (db: Queryable, uid: Buffer, state: 'matched' | 'dismissed') =>
  db.hasRows(
    sql`update chain_tombstone set state = ${state} where uid = ${uid} and state <> ${state} returning 1`,
  );

/** Finds etches in any state; `author` if a leaf names one. */
export const findByHash = (db: Queryable, leaves: readonly { hash: Buffer; author: string | null }[]) =>
  db.query<{ id: string }>(sql`
    select e.id from unnest(${leaves.map(({ hash }) => hash)}::bytea[], ${leaves.map(({ author }) => author)}::uuid[])
      as l (hash, author) join etch e on e.hash = l.hash and (l.author is null or e.user_id = l.author)`);

/** A tree of one leaf has the leaf as its root. */
export async function findByLeaf(
  db: Queryable,
  roots: readonly Buffer[],
  after: string | null,
  most: number,
): Promise<{ found: { id: string; root: Buffer }[]; last: string | null }> {
  const rows = await db.query<{ id: string; root: Buffer | null; last: boolean }>(sql`
    with page as materialized (
      select id, user_id, hash from etch ${after === null ? empty : sql`where id > ${after}::uuid`} order by id limit ${most}
    ), leaf as (
      select id, sha256('\\x00'::bytea || hash) as root from page
      union all select id, sha256('\\x00'::bytea || uuid_send(user_id) || hash) from page
    )
    select id, root, false as last from leaf where root = any(${roots}::bytea[])
    union all (select id, null, true from page order by id offset ${most - 1} limit 1)`);
  return {
    found: rows.flatMap(({ id, root }) => (root ? [{ id, root }] : [])),
    last: rows.find(({ last }) => last)?.id ?? null,
  };
}

export const isEmpty = (db: Queryable) =>
  db.value<boolean>(
    sql`select not exists (select from etch) and not exists (select from anchor_tx) as empty`,
  );

export async function readEarlier(db: Queryable): Promise<Hex | null> {
  const [row] = await db.query<{ uid: Buffer }>(sql`select uid from earlier_attestation limit 1`);
  return row ? `0x${row.uid.toString('hex')}` : null;
}

export const insertEarlier = (db: Queryable, { uid, time }: Attestation) =>
  db.query(sql`
    insert into earlier_attestation (uid, attested_at)
    values (${Buffer.from(uid.slice(2), 'hex')}, ${new Date(time * 1000).toISOString()}) on conflict do nothing`);
