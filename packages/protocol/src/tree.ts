import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { hexToBytes, isHex, uuidToBytes } from './hex.ts';

/** docs/specification.md#limits */
export const MAX_TREE_SIZE = 10_000;
/** The height of a tree of `MAX_TREE_SIZE` leaves. */
export const MAX_PROOF_LENGTH = 14;

export const LEAF_RULES: Readonly<Record<1 | 2, string>> = {
  1: 'sha256(0x00 || hash)',
  2: 'sha256(0x00 || author user id as 16 raw bytes || hash)',
};
export const NODE_RULE = 'sha256(0x01 || min(a,b) || max(a,b))';

/** A caller may supply a faster one, for example the hash of node:crypto. It must not keep `data`. */
export type Sha256 = (data: Uint8Array) => Uint8Array;

const HASH = 32;

/**
 * See `LEAF_RULES` (docs/specification.md#merkle-rules).
 * @throws {RangeError} on a malformed id or hash
 * @example
 * const { author, hash, inclusion } = receipt;
 * const leaf = etchLeaf(2, author.user_id, hash);
 * foldProof(leaf, inclusion.proof.map(hexToBytes)); // hexToBytes(inclusion.root)
 */
export function etchLeaf(
  treeVersion: 1 | 2,
  userId: string,
  hash: string,
  sha256: Sha256 = nobleSha256,
): Uint8Array {
  if (!isHex(hash, HASH)) throw new RangeError('hash is not 64 lower-case hex digits');
  const author = treeVersion === 2 ? uuidToBytes(userId) : new Uint8Array(0);
  const data = new Uint8Array(1 + author.length + HASH);
  data.set(author, 1);
  data.set(hexToBytes(hash), 1 + author.length);
  return sha256(data);
}

/**
 * See `NODE_RULE` (docs/specification.md#merkle-rules).
 * @example
 * const [a, b] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
 * node(a, b); // node(b, a)
 */
export function node(a: Uint8Array, b: Uint8Array, sha256: Sha256 = nobleSha256): Uint8Array {
  if (a.length !== HASH || b.length !== HASH) throw new RangeError('a node has 32 bytes');
  const data = new Uint8Array(1 + 2 * HASH);
  const swap = compareBytes(a, b) > 0;
  data[0] = 1;
  data.set(swap ? b : a, 1);
  data.set(swap ? a : b, 1 + HASH);
  return sha256(data);
}

/**
 * The caller compares the result with the root.
 * @throws {RangeError} on a proof longer than `MAX_PROOF_LENGTH` or a hash that is not 32 bytes
 * @example
 * const leaf = new Uint8Array(32).fill(1);
 * foldProof(leaf, [new Uint8Array(32)]); // node(leaf, new Uint8Array(32))
 */
export function foldProof(
  leaf: Uint8Array,
  proof: readonly Uint8Array[],
  sha256: Sha256 = nobleSha256,
): Uint8Array {
  if (proof.length > MAX_PROOF_LENGTH) throw new RangeError(`a proof has at most ${MAX_PROOF_LENGTH} hashes`);
  if (leaf.length !== HASH) throw new RangeError('a leaf has 32 bytes');
  return proof.reduce<Uint8Array>((folded, sibling) => node(folded, sibling, sha256), leaf);
}

/**
 * Whether a tree of `treeSize` leaves has a proof of `length` hashes (docs/protocol.md#42-trees). In a tree of
 * two or more leaves every leaf has a sibling at some level.
 * @example
 * isPossibleLength(0, 1); // true
 * isPossibleLength(0, 2); // false
 */
export const isPossibleLength = (length: number, treeSize: number): boolean =>
  length <= Math.ceil(Math.log2(treeSize)) && length >= Math.min(1, treeSize - 1);

/**
 * A prefix comes first.
 * @example
 * compareBytes(Uint8Array.of(1), Uint8Array.of(1, 0)) < 0; // true
 */
export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const difference = a[i]! - b[i]!;
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
