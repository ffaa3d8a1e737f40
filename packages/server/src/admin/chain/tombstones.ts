// Matches tombstones of the chain with etches, also by leaves from a file, and erases or releases withheld etches.
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeInvisibleInLine } from '@svc/protocol';
import { vacuumErased } from '../../acts/vacuum.ts';
import { eraseWithheld, listWithheld, releaseWithheld } from '../../acts/withheld-store.ts';
import type { Chain } from '../../chain/port.ts';
import type { Db } from '../../db/db.ts';
import type { Keyring } from '../../platform/secrets/keyring.ts';
import { type Leaf, matchByLeaves, matchSingles, setState } from '../../tombstones/match-store.ts';
import { type FoundTombstone, listUnmatched, searchTombstones } from '../../tombstones/search-store.ts';
import type { Report } from '../fsck/report.ts';
import { readBounded } from '../../platform/outgoing/bounded-fetch.ts';
import { inputError, unknownError } from '../context.ts';

/** Withholds etches with a tombstone on the chain and no retraction in the database. */
export async function checkTombstones(
  db: Db,
  chain: Chain,
  keyring: Keyring,
  { leaves, report }: { leaves: string | undefined; report: Report },
): Promise<void> {
  const leavesOf = leaves === undefined ? undefined : await openLeaves(leaves);
  report.count('tombstones found', await searchTombstones(db, chain, 'all'));
  await matchSingles(db, keyring);
  if (leavesOf) await matchByLeaves(db, keyring, leavesOf);
  for (const { etch_id, uid } of await listWithheld(db))
    report.fault(
      'etch',
      etch_id,
      `withheld for the tombstone ${hex(uid)}, which the database had forgotten: run svc-admin chain erase or give-back`,
    );
  for (const { root, uid, tree_size } of await listUnmatched(db))
    report.fault(
      'tombstone tree',
      root.toString('hex'),
      `${hex(uid)} retracts ${tree_size} etches and matches none here so far: give a copy of /batches (--leaves)`,
    );
}

const named = async (db: Db, of: Buffer | null) =>
  (await listWithheld(db, of)).map(({ etch_id: id, uid }) => ({ id, tombstone: hex(uid) }));

export async function eraseForgotten(db: Db, yes: boolean) {
  const etches = await named(db, null);
  const done = yes ? await eraseWithheld(db, null) : 0;
  if (done > 0) await vacuumErased(db);
  return { etches, done };
}

export async function giveForgottenBack(db: Db, keyring: Keyring, uid: string, yes: boolean) {
  const bytes = Buffer.from(uid.replace(/^0x/, ''), 'hex');
  const etches = await named(db, bytes);
  const done = yes ? await releaseWithheld(db, keyring, bytes) : 0;
  return { etches, done, dismissed: yes && (await setState(db, bytes, 'dismissed')) };
}

const hex = (bytes: Buffer): string => `0x${bytes.toString('hex')}`;

type LeavesOf = (tombstone: FoundTombstone) => Promise<readonly Leaf[] | undefined>;

const PATIENCE_MS = 30_000;
/** Ten thousand leaves need 1.5 MB. */
const MOST_BYTES = 8 * 1024 * 1024;

async function openLeaves(place: string): Promise<LeavesOf> {
  if (/^https?:\/\//.test(place)) return fromUrl(place.replace(/\/+$/, ''));
  const found = await stat(place).catch(() => undefined);
  if (!found) throw inputError(`--leaves: there is no file or folder ${place}`);
  const files = found.isDirectory()
    ? (await readdir(place)).filter((name) => /\.jsonl?$/.test(name)).map((name) => join(place, name))
    : [place];
  const trees = new Map<string, Leaf[][]>();
  for (const file of files) {
    const read = readTrees(await readFile(file, 'utf8'));
    if (!read) throw inputError(`--leaves: ${file} contains no answers of /batches`);
    for (const { root, leaves } of read) trees.set(root, [...(trees.get(root) ?? []), leaves]);
  }
  // A tree of one leaf and its retraction have the same root.
  return async ({ root, tree_size: size }) =>
    trees.get(root.toString('hex'))?.find((leaves) => leaves.length === size);
}

function fromUrl(base: string): LeavesOf {
  const batches = /\/batches$/.test(base) ? base : `${base}/api/v1/batches`;
  return async ({ root, tree_size: size }) => {
    const hex = root.toString('hex');
    try {
      const response = await fetch(`${batches}/${hex}?kind=1`, { signal: AbortSignal.timeout(PATIENCE_MS) });
      if (!response.ok) return undefined;
      const text = await readBounded(response, MOST_BYTES);
      return readTrees(text)?.find((tree) => tree.root === hex && tree.leaves.length === size)?.leaves;
    } catch (error) {
      throw unknownError(
        `--leaves: ${batches} cannot be read: ${escapeInvisibleInLine((error as Error).message)}`,
      );
    }
  };
}

interface Tree {
  root: string;
  leaves: Leaf[];
}

/** Reads one JSON value, or one a line: a batch, `{ batch }`, `{ batches }` or a list. */
function readTrees(text: string): Tree[] | undefined {
  const values = parse(text) ?? text.split('\n').flatMap((line) => (line.trim() === '' ? [] : parse(line)));
  const trees = values.flatMap((value) => (value === undefined ? [] : treesIn(value)));
  return trees.length === 0 ? undefined : trees;
}

function parse(text: string): unknown[] | undefined {
  try {
    return [JSON.parse(text) as unknown];
  } catch {
    return undefined;
  }
}

function treesIn(value: unknown): Tree[] {
  if (Array.isArray(value)) return value.flatMap(treesIn);
  if (typeof value !== 'object' || value === null) return [];
  const { batch, batches, root, leaves } = value as Record<string, unknown>;
  if (batch !== undefined || batches !== undefined) return treesIn(batch ?? batches);
  if (typeof root !== 'string' || !Array.isArray(leaves) || !leaves.every(isLeaf)) return [];
  return [{ root, leaves }];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function isLeaf(value: unknown): value is Leaf {
  if (typeof value !== 'object' || value === null) return false;
  const { hash, user_id } = value as Record<string, unknown>;
  return (
    typeof hash === 'string' &&
    /^[0-9a-f]{64}$/.test(hash) &&
    (user_id === undefined || (typeof user_id === 'string' && UUID.test(user_id)))
  );
}
