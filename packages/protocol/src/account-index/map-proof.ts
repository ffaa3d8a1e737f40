import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { uuidToBytes } from '../hex.ts';
import { bigEndian } from '../timelock/drand-chain.ts';
import { compareBytes, type Sha256 } from '../tree.ts';
import { IndexError } from './entries.ts';

export const KEY_BITS = 256;

/** A sibling on the way from a leaf of the map to its root. */
export interface PathStep {
  bit: number;
  hash: Uint8Array;
}

/** The leaf at which the search for an absent key ends. */
export interface OtherLeaf {
  key: Uint8Array;
  value: Uint8Array;
}

/**
 * @throws {RangeError} when it is not a uuid in lower case
 * @example
 * accountKey(receipt.author.user_id).length; // 32
 */
export const accountKey = (userId: string, sha256: Sha256 = nobleSha256): Uint8Array =>
  sha256(uuidToBytes(userId));

/**
 * @example
 * mapValue(20, new Uint8Array(32)).length; // 40
 */
export const mapValue = (count: number, root: Uint8Array): Uint8Array =>
  concatBytes(bigEndian(count, 8), root);

/**
 * @example
 * mapLeaf(new Uint8Array(32), mapValue(20, new Uint8Array(32))).length; // 32
 */
export const mapLeaf = (key: Uint8Array, value: Uint8Array, sha256: Sha256 = nobleSha256): Uint8Array =>
  sha256(concatBytes(Uint8Array.of(2), key, value));

/**
 * Bit 0 is the highest bit of the first byte.
 * @example
 * bitOf(Uint8Array.of(0b01000000), 1); // 1
 */
export const bitOf = (key: Uint8Array, bit: number): 0 | 1 =>
  ((key[bit >> 3]! >> (7 - (bit & 7))) & 1) as 0 | 1;

/** @throws {IndexError} when the bits do not fall from the leaf to the root */
function foldPath(key: Uint8Array, leaf: Uint8Array, path: readonly PathStep[], sha256: Sha256): Uint8Array {
  let last = KEY_BITS;
  return path.reduce((hash, step) => {
    if (step.bit >= last) throw new IndexError('the bits of the path do not fall from the leaf to the root');
    last = step.bit;
    const sides = bitOf(key, step.bit) === 1 ? [step.hash, hash] : [hash, step.hash];
    return sha256(concatBytes(Uint8Array.of(3, step.bit), ...sides));
  }, leaf);
}

interface PresenceProof {
  key: Uint8Array;
  value: Uint8Array;
  path: readonly PathStep[];
}

/**
 * @param root of the map
 * @throws {IndexError} unless the map contains this value of the key
 * @example
 * const [key, value] = [new Uint8Array(32), mapValue(1, new Uint8Array(32))];
 * checkPresence({ key, value, path: [] }, mapLeaf(key, value)); // undefined
 */
export function checkPresence(
  { key, value, path }: PresenceProof,
  root: Uint8Array,
  sha256: Sha256 = nobleSha256,
): void {
  const folded = foldPath(key, mapLeaf(key, value, sha256), path, sha256);
  if (compareBytes(folded, root) !== 0)
    throw new IndexError('count, account_root and path do not lead to the root of the map');
}

interface AbsenceProof {
  key: Uint8Array;
  /** null in an empty map */
  other: OtherLeaf | null;
  path: readonly PathStep[];
}

/**
 * @param root of the map
 * @throws {IndexError} unless the map does not contain the key
 * @example
 * checkAbsence({ key: new Uint8Array(32), other: null, path: [] }, new Uint8Array(32)); // undefined
 */
export function checkAbsence(
  { key, other, path }: AbsenceProof,
  root: Uint8Array,
  sha256: Sha256 = nobleSha256,
): void {
  if (other === null) {
    if (path.length > 0 || root.some((byte) => byte !== 0))
      throw new IndexError('other is null, but the map has accounts');
    return;
  }
  if (compareBytes(other.key, key) === 0)
    throw new IndexError('other is the leaf of this account: the account has entries');
  if (path.some(({ bit }) => bitOf(other.key, bit) !== bitOf(key, bit)))
    throw new IndexError('other is not the leaf at which the search for this account ends');
  const folded = foldPath(other.key, mapLeaf(other.key, other.value, sha256), path, sha256);
  if (compareBytes(folded, root) !== 0)
    throw new IndexError('other and path do not lead to the root of the map');
}
