import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { parent, sidesOf } from '../conventions/log-tree.ts';
import { compareBytes } from '../tree.ts';

/** A complete subtree of 2^height leaves; `index` counts the subtrees of that height. */
export type ReadSubtree = (height: number, index: number) => Promise<Uint8Array>;

/**
 * RFC 6962, section 2.1.
 * @example
 * entryHash(new Uint8Array(128)).length; // 32
 */
export const entryHash = (data: Uint8Array): Uint8Array => sha256(concatBytes(Uint8Array.of(0), data));

/**
 * The root of 2^n hashes, or of fewer at the end of a tree.
 * @example
 * const hash = new Uint8Array(32);
 * foldHashes([hash]); // hash
 */
export function foldHashes(hashes: readonly Uint8Array[]): Uint8Array {
  if (hashes.length === 0) return sha256(new Uint8Array(0));
  if (hashes.length === 1) return hashes[0]!;
  const split = splitOf(hashes.length);
  return parent(foldHashes(hashes.slice(0, split)), foldHashes(hashes.slice(split)));
}

/** The greatest power of two below `size`, which is at least 2. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

/** Up to below `to`. */
async function rangeRoot(from: number, to: number, read: ReadSubtree): Promise<Uint8Array> {
  const size = to - from;
  const split = size === 1 ? 1 : splitOf(size);
  if (size === 1 || split * 2 === size) return read(Math.log2(size), from / size);
  return parent(await rangeRoot(from, from + split, read), await rangeRoot(from + split, to, read));
}

/**
 * @example
 * await rootAt(1, async () => new Uint8Array(32)); // new Uint8Array(32)
 */
export const rootAt = async (size: number, read: ReadSubtree): Promise<Uint8Array> =>
  size === 0 ? foldHashes([]) : rangeRoot(0, size, read);

/** The sibling subtrees on a path from the root down. */
async function walk(
  size: number,
  read: ReadSubtree,
  isEnd: (from: number, to: number) => boolean,
  goesLeft: (middle: number) => boolean,
): Promise<{ proof: Uint8Array[]; from: number; to: number }> {
  const proof: Uint8Array[] = [];
  let [from, to] = [0, size];
  while (!isEnd(from, to)) {
    const middle = from + splitOf(to - from);
    const isLeft = goesLeft(middle);
    proof.push(isLeft ? await rangeRoot(middle, to, read) : await rangeRoot(from, middle, read));
    if (isLeft) to = middle;
    else from = middle;
  }
  return { proof, from, to };
}

/**
 * From the leaf up (RFC 6962, section 2.1.1).
 * @example
 * await proveInclusion(0, 2, async () => new Uint8Array(32)); // [new Uint8Array(32)]
 */
export async function proveInclusion(index: number, size: number, read: ReadSubtree): Promise<Uint8Array[]> {
  const { proof } = await walk(
    size,
    read,
    (from, to) => to - from <= 1,
    (middle) => index < middle,
  );
  return proof.toReversed();
}

/**
 * Proves that the first `old` leaves are unchanged (RFC 6962, section 2.1.2).
 * @example
 * await proveConsistency(1, 2, async () => new Uint8Array(32)); // [new Uint8Array(32)]
 */
export async function proveConsistency(old: number, size: number, read: ReadSubtree): Promise<Uint8Array[]> {
  if (old === 0 || old === size) return [];
  const { proof, from, to } = await walk(
    size,
    read,
    (_, to) => to === old,
    (middle) => old <= middle,
  );
  if (from > 0) proof.push(await rangeRoot(from, to, read));
  return proof.toReversed();
}

/**
 * Checks a consistency proof (RFC 9162, section 2.1.4.2).
 * @example
 * const root = new Uint8Array(32);
 * isConsistent({ size: 1, root }, { size: 1, root }, []); // true
 */
export function isConsistent(
  old: { size: number; root: Uint8Array },
  now: { size: number; root: Uint8Array },
  proof: readonly Uint8Array[],
): boolean {
  if (old.size > now.size || proof.some((hash) => hash.length !== 32)) return false;
  if (old.size === now.size) return proof.length === 0 && isSame(old.root, now.root);
  if (old.size === 0) return proof.length === 0;
  const isPower = Number.isInteger(Math.log2(old.size));
  const path = isPower ? [old.root, ...proof] : [...proof];
  const first = path.shift();
  if (first === undefined || path.length === 0) return false;
  let [at, last] = [old.size - 1, now.size - 1];
  while (at % 2 === 1) [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  const sides = sidesOf(at, last, path.length);
  if (sides === null) return false;
  let [before, after] = [first, first];
  for (const [place, hash] of path.entries()) {
    if (sides[place] === 'left') [before, after] = [parent(hash, before), parent(hash, after)];
    else after = parent(after, hash);
  }
  return isSame(before, old.root) && isSame(after, now.root);
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => compareBytes(a, b) === 0;
