import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { bigEndian } from '../timelock/drand-chain.ts';
import type { Sha256 } from '../tree.ts';

/** A complete subtree at the right edge. */
interface Subtree {
  /** of 2^height leaves */
  height: number;
  hash: Uint8Array;
  hasTarget: boolean;
}

/** RFC 6962: the order of the children counts. */
export const parent = (left: Uint8Array, right: Uint8Array, sha256: Sha256 = nobleSha256): Uint8Array =>
  sha256(concatBytes(Uint8Array.of(1), left, right));

/**
 * `sha256(salt of the log || line number as 8 bytes big-endian)`. A proof shows the hash of a neighbor line;
 * without that line's salt, a guess cannot be confirmed.
 * @param number from 1
 * @example
 * const salt = new Uint8Array(32);
 * lineSalt(salt, 1).length; // 32
 */
export const lineSalt = (salt: Uint8Array, number: number, sha256: Sha256 = nobleSha256): Uint8Array =>
  sha256(concatBytes(salt, bigEndian(number, 8)));

/**
 * RFC 6962 `sha256(0x00 || salt || line)`.
 * @param salt of the line, 32 bytes
 * @param line without the line feed
 * @example
 * const salt = lineSalt(new Uint8Array(32), 1);
 * logLeaf(salt, new TextEncoder().encode('started')).length; // 32
 */
export const logLeaf = (salt: Uint8Array, line: Uint8Array, sha256: Sha256 = nobleSha256): Uint8Array =>
  sha256(concatBytes(Uint8Array.of(0), salt, line));

/**
 * Grows at its end (RFC 6962). Stores one hash for each 1 bit of its size: at most 20 for a million lines.
 * @example
 * const tree = new LogTree();
 * tree.add(new Uint8Array(32));
 * tree.root(); // new Uint8Array(32)
 */
export class LogTree {
  readonly #edge: Subtree[] = [];
  readonly #proof: Uint8Array[] = [];
  readonly #target: number | undefined;
  readonly #sha256: Sha256;
  #size = 0;

  /** @param target index to prove, from 0 */
  constructor(sha256: Sha256 = nobleSha256, target?: number) {
    this.#sha256 = sha256;
    this.#target = target;
  }

  /**
   * @param edge of the earlier tree
   * @throws {RangeError} when `edge` does not fit the size
   */
  static resume(size: number, edge: readonly Uint8Array[], sha256: Sha256 = nobleSha256): LogTree {
    const tree = new LogTree(sha256);
    for (let left = size; left > 0; left -= 2 ** tree.#edge.at(-1)!.height) {
      const hash = edge[tree.#edge.length];
      if (hash === undefined) break;
      tree.#edge.push({ height: Math.floor(Math.log2(left)), hash, hasTarget: false });
      tree.#size += 2 ** tree.#edge.at(-1)!.height;
    }
    if (tree.#size !== size || edge.length !== tree.#edge.length)
      throw new RangeError(`a tree of ${size} leaves has not ${edge.length} hashes at its edge`);
    return tree;
  }

  get size(): number {
    return this.#size;
  }

  /** Roots of the complete subtrees, largest first. */
  get edge(): Uint8Array[] {
    return this.#edge.map(({ hash }) => hash);
  }

  get stored(): number {
    return this.#edge.length;
  }

  add(leaf: Uint8Array): void {
    let right: Subtree = { height: 0, hash: leaf, hasTarget: this.#size === this.#target };
    while (this.#edge.at(-1)?.height === right.height)
      right = this.#merge(this.#edge.pop()!, right, this.#proof);
    this.#edge.push(right);
    this.#size++;
  }

  root(): Uint8Array {
    return this.#fold([]);
  }

  /** From the leaf up; null without the target. */
  proof(): Uint8Array[] | null {
    if (this.#target === undefined || this.#target >= this.#size) return null;
    const proof = [...this.#proof];
    this.#fold(proof);
    return proof;
  }

  #fold(proof: Uint8Array[]): Uint8Array {
    if (this.#edge.length === 0) return this.#sha256(new Uint8Array(0));
    return this.#edge.reduceRight((right, left) => this.#merge(left, right, proof)).hash;
  }

  #merge(left: Subtree, right: Subtree, proof: Uint8Array[]): Subtree {
    if (left.hasTarget) proof.push(right.hash);
    if (right.hasTarget) proof.push(left.hash);
    return {
      height: left.height + 1,
      hash: parent(left.hash, right.hash, this.#sha256),
      hasTarget: left.hasTarget || right.hasTarget,
    };
  }
}

/**
 * The root that an inclusion proof gives (RFC 9162, section 2.1.3.2); null when its length is wrong.
 * @param index from 0
 * @example
 * const leaf = new Uint8Array(32);
 * foldLogProof(leaf, 0, 1, []); // leaf
 */
export function foldLogProof(
  leaf: Uint8Array,
  index: number,
  size: number,
  proof: readonly Uint8Array[],
  sha256: Sha256 = nobleSha256,
): Uint8Array | null {
  if (index < 0 || index >= size || proof.some((sibling) => sibling.length !== 32)) return null;
  const sides = sidesOf(index, size - 1, proof.length);
  if (sides === null) return null;
  return proof.reduce(
    (hash, sibling, at) =>
      sides[at] === 'left' ? parent(sibling, hash, sha256) : parent(hash, sibling, sha256),
    leaf,
  );
}

/** On which side each sibling of a path to the root is; null for a wrong length. */
export function sidesOf(index: number, lastIndex: number, length: number): ('left' | 'right')[] | null {
  let [at, last] = [index, lastIndex];
  const sides: ('left' | 'right')[] = [];
  while (sides.length < length) {
    if (last === 0) return null;
    const isLeft = at % 2 === 1 || at === last;
    sides.push(isLeft ? 'left' : 'right');
    while (isLeft && at % 2 === 0 && at !== 0) [at, last] = [at / 2, Math.floor(last / 2)];
    [at, last] = [Math.floor(at / 2), Math.floor(last / 2)];
  }
  return last === 0 ? sides : null;
}
