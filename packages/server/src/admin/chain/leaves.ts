import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeUnseenInLine } from '@svc/protocol';
import { readBounded } from '../../platform/outgoing/bounded-fetch.ts';
import type { Leaf } from '../../tombstones/match.ts';
import type { FoundTombstone } from '../../tombstones/store.ts';
import { AdminError, EXIT } from '../context.ts';

type LeavesOf = (tombstone: FoundTombstone) => Promise<readonly Leaf[] | undefined>;

const PATIENCE_MS = 30_000;
/** Ten thousand leaves need 1.5 MB. */
const MOST_BYTES = 8 * 1024 * 1024;

export async function openLeaves(place: string): Promise<LeavesOf> {
  if (/^https?:\/\//.test(place)) return fromUrl(place.replace(/\/+$/, ''));
  const found = await stat(place).catch(() => undefined);
  if (!found) throw new AdminError(EXIT.input, `--leaves: there is no file or folder ${place}`);
  const files = found.isDirectory()
    ? (await readdir(place)).filter((name) => /\.jsonl?$/.test(name)).map((name) => join(place, name))
    : [place];
  const trees = new Map<string, Leaf[][]>();
  for (const file of files) {
    const read = readTrees(await readFile(file, 'utf8'));
    if (!read) throw new AdminError(EXIT.input, `--leaves: ${file} contains no answers of /batches`);
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
      throw new AdminError(
        EXIT.unknown,
        `--leaves: ${batches} cannot be read: ${escapeUnseenInLine((error as Error).message)}`,
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
