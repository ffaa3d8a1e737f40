// Matches tombstones of the chain with etches of the database, and withholds those etches.
import { buildFlatTree, etchLeaf } from '@svc/protocol';
import sql, { empty } from 'sql-template-tag';
import { withhold } from '../acts/withheld-store.ts';
import type { Db, Queryable } from '../db/db.ts';
import type { Keyring } from '../platform/secrets/keyring.ts';
import { sha256 } from '../platform/secrets/signing-key.ts';
import type { Chain } from '../chain/port.ts';
import { type FoundTombstone, listUnmatched, searchTombstones } from './search-store.ts';

/** Leaves of version 1 have no author. */
export type Leaf = { user_id?: string; hash: string };

const AT_ONCE = 20_000;

/** Matches trees of one leaf and single revocations in one pass. */
export async function matchSingles(db: Db, keyring: Keyring): Promise<number> {
  const unmatched = await listUnmatched(db);
  let withheld = 0;
  for (const tombstone of unmatched.filter(({ tree_version }) => tree_version === 0)) {
    const etches = await findByHash(db, [{ hash: tombstone.root, author: null }]);
    withheld += await withholdMatches(db, keyring, tombstone, etches);
  }
  const ones = unmatched.filter(({ tree_version, tree_size }) => tree_version !== 0 && tree_size === 1);
  if (ones.length === 0) return withheld;
  const roots = ones.map(({ root }) => root);
  for (let after: string | null = null; ;) {
    const page = await findByLeaf(db, roots, after, AT_ONCE);
    for (const { id, root } of page.found)
      for (const tombstone of ones.filter((one) => one.root.equals(root)))
        withheld += await withholdMatches(db, keyring, tombstone, [id]);
    if (page.last === null) return withheld;
    after = page.last;
  }
}

/** Matches trees by copies of their leaves, which must fold to the chain's root. Ignores unknown etches. */
export async function matchByLeaves(
  db: Db,
  keyring: Keyring,
  leavesOf: (tombstone: FoundTombstone) => Promise<readonly Leaf[] | undefined>,
): Promise<number> {
  let withheld = 0;
  for (const tombstone of await listUnmatched(db)) {
    const leaves = tombstone.tree_version === 0 ? undefined : await leavesOf(tombstone);
    if (!leaves || !foldsTo(tombstone, leaves)) continue;
    const named = leaves.map(({ hash, user_id }) => ({
      hash: Buffer.from(hash, 'hex'),
      author: tombstone.tree_version === 2 ? user_id! : null,
    }));
    withheld += await withholdMatches(db, keyring, tombstone, await findByHash(db, named), true);
  }
  return withheld;
}

function foldsTo({ root, tree_version: version }: FoundTombstone, leaves: readonly Leaf[]): boolean {
  try {
    const hashes = leaves.map(({ user_id, hash }) =>
      etchLeaf(version === 1 ? 1 : 2, user_id ?? '', hash, sha256),
    );
    return Buffer.from(buildFlatTree(hashes, sha256).root).equals(root);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** Withholds first: after a crash the next run repeats the work. */
async function withholdMatches(
  db: Db,
  keyring: Keyring,
  tombstone: FoundTombstone,
  etches: readonly string[],
  complete = etches.length > 0,
): Promise<number> {
  const { uid, attested_at: at } = tombstone;
  const withheld = await withhold(db, keyring, { uid, at }, etches);
  if (complete) await setState(db, uid, 'matched');
  return withheld;
}

export const setState = (db: Queryable, uid: Buffer, state: 'matched' | 'dismissed') =>
  db.hasRows(
    sql`update chain_tombstone set state = ${state} where uid = ${uid} and state <> ${state} returning 1`,
  );

/** Finds etches in any state; `author` if a leaf names one. */
const findByHash = (db: Queryable, leaves: readonly { hash: Buffer; author: string | null }[]) =>
  db.column<string>(sql`
    select e.id from unnest(${leaves.map(({ hash }) => hash)}::bytea[], ${leaves.map(({ author }) => author)}::uuid[])
      as l (hash, author) join etch e on e.hash = l.hash and (l.author is null or e.user_id = l.author)`);

/** A tree of one leaf has the leaf as its root. */
async function findByLeaf(
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

interface LookLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/**
 * Withholds etches that the chain shows as retracted and the database lost. It runs before the first answer and
 * then regularly, because a standby may take over.
 * @throws ChainUnavailable
 */
export async function lookForTombstones(db: Db, chain: Chain, keyring: Keyring, log: LookLog): Promise<void> {
  if ((await searchTombstones(db, chain, 'new')) === 0) return;
  const etches = await matchSingles(db, keyring);
  if (etches > 0)
    log.warn(
      { etches },
      'the chain has tombstones of etches that this database had not retracted: they are withheld (svc-admin chain erase)',
    );
  const tombstones = (await listUnmatched(db)).length;
  if (tombstones > 0)
    log.error(
      { tombstones },
      'the chain has tombstones that match no known etch: find their leaves (svc-admin chain check --leaves)',
    );
}
