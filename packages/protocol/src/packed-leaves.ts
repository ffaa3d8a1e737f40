import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { foldRoot } from './build-tree.ts';
import { hexToBytes, isHex, uuidToBytes } from './hex.ts';
import { MAX_TREE_SIZE, type Sha256 } from './tree.ts';

/** docs/protocol.md#26-packed-leaves */
export const LEAVES_TYPE = 'application/vnd.svc.leaves';

const HASH = 32;

/**
 * @example
 * packedWidth(2); // 48
 */
export const packedWidth = (treeVersion: 1 | 2): 32 | 48 => (treeVersion === 2 ? 48 : HASH);

/**
 * The author's id (16 bytes, version 2 only) and the hash of each leaf.
 * @throws {RangeError} on a malformed id or hash, and on more leaves than a tree has
 * @example
 * const leaf = { user_id: receipt.author.user_id, hash: receipt.hash };
 * packLeaves(2, [leaf]).length; // 48
 */
export function packLeaves(
  treeVersion: 1 | 2,
  leaves: readonly { readonly user_id?: string; readonly hash: string }[],
): Uint8Array {
  if (leaves.length > MAX_TREE_SIZE) throw new RangeError(`a tree has 1 to ${MAX_TREE_SIZE} leaves`);
  const width = packedWidth(treeVersion);
  const packed = new Uint8Array(leaves.length * width);
  for (const [index, { user_id: userId = '', hash }] of leaves.entries()) {
    if (!isHex(hash, HASH)) throw new RangeError('hash is not 64 lower-case hex digits');
    if (treeVersion === 2) packed.set(uuidToBytes(userId), index * width);
    packed.set(hexToBytes(hash), (index + 1) * width - HASH);
  }
  return packed;
}

/**
 * The root of packed leaves in any order (docs/protocol.md#42-trees).
 * @throws {RangeError} on no leaf, more than `MAX_TREE_SIZE`, equal leaves, or a wrong length
 * @example
 * const { hash } = receipt;
 * foldPackedLeaves(1, packLeaves(1, [{ hash }])); // etchLeaf(1, '', hash)
 */
export function foldPackedLeaves(
  treeVersion: 1 | 2,
  packed: Uint8Array,
  sha256: Sha256 = nobleSha256,
): Uint8Array {
  const width = packedWidth(treeVersion);
  const size = packed.length / width;
  if (!Number.isInteger(size) || size < 1 || size > MAX_TREE_SIZE)
    throw new RangeError(`a tree has 1 to ${MAX_TREE_SIZE} leaves of ${width} bytes`);
  const values = new Uint8Array(size * HASH);
  const data = new Uint8Array(1 + width);
  for (let index = 0; index < size; index++) {
    data.set(packed.subarray(index * width, (index + 1) * width), 1);
    values.set(sha256(data), index * HASH);
  }
  return foldRoot(values, sha256);
}
