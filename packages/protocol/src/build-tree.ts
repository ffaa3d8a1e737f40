import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { compareBytes, MAX_TREE_SIZE, type Sha256 } from './tree.ts';

const HASH = 32;
const WORDS = HASH / 4;

/** `proof(i)` is the concatenated sibling hashes of `leaves[i]`. */
export interface FlatTree {
  root: Uint8Array;
  /** A view, not a copy. */
  proof(index: number): Uint8Array;
}

interface Proofs {
  bytes: Uint8Array;
  /** in hashes */
  starts: Uint32Array;
  ends: Uint32Array;
}

/**
 * Folds leaves in any order to a root (docs/protocol.md#42-trees).
 * @throws {RangeError} on no leaf, more than `MAX_TREE_SIZE`, equal leaves, or a leaf that is not 32 bytes
 * @example
 * const leaves = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
 * const tree = buildFlatTree(leaves);
 * foldProof(leaves[0], splitProof(tree.proof(0))); // tree.root
 */
export function buildFlatTree(leaves: readonly Uint8Array[], sha256: Sha256 = nobleSha256): FlatTree {
  const order = sortedOrder(leaves);
  const levels = levelOffsets(leaves.length);
  const nodes = foldLevels(leaves, order, levels, sha256);
  const { bytes, starts, ends } = collectProofs(nodes, order, levels);
  return {
    root: nodes.slice(nodes.length - HASH),
    proof: (index) => {
      const start = starts[index];
      if (start === undefined) throw new RangeError('no such leaf');
      return bytes.subarray(start * HASH, ends[index]! * HASH);
    },
  };
}

/**
 * Like `buildFlatTree`, with each proof as a list of hashes.
 * @example
 * const leaves = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
 * const { root, proofs } = buildTree(leaves);
 * foldProof(leaves[1], proofs[1]); // root
 */
export function buildTree(
  leaves: readonly Uint8Array[],
  sha256: Sha256 = nobleSha256,
): { root: Uint8Array; proofs: Uint8Array[][] } {
  const tree = buildFlatTree(leaves, sha256);
  return { root: tree.root, proofs: leaves.map((_, index) => splitProof(tree.proof(index))) };
}

/**
 * The root of concatenated leaves, 32 bytes each.
 * @throws {RangeError} as `buildFlatTree`
 * @example
 * const leaf = new Uint8Array(32).fill(7);
 * foldRoot(leaf); // leaf
 */
export function foldRoot(leaves: Uint8Array, sha256: Sha256 = nobleSha256): Uint8Array {
  const size = leaves.length / HASH;
  if (!Number.isInteger(size)) throw new RangeError('a leaf has 32 bytes');
  let nodes: Uint8Array;
  if (size > 1 && size <= MAX_TREE_SIZE && isAscending(leaves)) {
    const levels = levelOffsets(size);
    nodes = new Uint8Array(levels.at(-1)! * HASH);
    nodes.set(leaves);
    foldUp(nodes, levels, sha256);
  } else {
    const views = splitProof(leaves);
    const order = sortedOrder(views);
    nodes = foldLevels(views, order, levelOffsets(size), sha256);
  }
  return nodes.slice(nodes.length - HASH);
}

function isAscending(leaves: Uint8Array): boolean {
  for (let at = 0; at + HASH < leaves.length; at += HASH) {
    let i = at;
    while (i < at + HASH && leaves[i] === leaves[i + HASH]) i++;
    if (i === at + HASH || leaves[i]! > leaves[i + HASH]!) return false;
  }
  return true;
}

/**
 * @throws {RangeError} when the length is not a multiple of 32
 * @example
 * splitProof(new Uint8Array(64)).length; // 2
 */
export function splitProof(flat: Uint8Array): Uint8Array[] {
  if (flat.length % HASH !== 0) throw new RangeError('a proof is made of hashes of 32 bytes');
  return Array.from({ length: flat.length / HASH }, (_, i) => flat.subarray(i * HASH, (i + 1) * HASH));
}

/**
 * The first 39 bits of a leaf and its index make one double, which sorts ten times as fast as byte strings.
 */
function sortedOrder(leaves: readonly Uint8Array[]): Uint16Array {
  const size = leaves.length;
  if (size < 1 || size > MAX_TREE_SIZE) throw new RangeError(`a tree has 1 to ${MAX_TREE_SIZE} leaves`);
  const keys = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    const leaf = leaves[i]!;
    if (leaf.length !== HASH) throw new RangeError('a leaf has 32 bytes');
    const high = leaf[0]! * 0x1000000 + leaf[1]! * 0x10000 + leaf[2]! * 0x100 + leaf[3]!;
    keys[i] = (high * 128 + (leaf[4]! >> 1)) * 16384 + i;
  }
  keys.sort();
  const order = new Uint16Array(size);
  for (let i = 0; i < size; i++) order[i] = keys[i]! % 16384;
  for (let from = 0; from < size;) {
    const prefix = Math.floor(keys[from]! / 16384);
    let to = from + 1;
    while (to < size && Math.floor(keys[to]! / 16384) === prefix) to++;
    if (to - from > 1) settleTies(leaves, order.subarray(from, to));
    from = to;
  }
  return order;
}

function settleTies(leaves: readonly Uint8Array[], places: Uint16Array): void {
  places.sort((a, b) => compareBytes(leaves[a]!, leaves[b]!));
  for (let i = 1; i < places.length; i++) {
    if (compareBytes(leaves[places[i - 1]!]!, leaves[places[i]!]!) === 0)
      throw new RangeError('two leaves are equal');
  }
}

function levelOffsets(size: number): number[] {
  const offsets = [0];
  let width = size;
  let total = size;
  while (width > 1) {
    offsets.push(total);
    width = (width + 1) >> 1;
    total += width;
  }
  offsets.push(total);
  return offsets;
}

function foldLevels(
  leaves: readonly Uint8Array[],
  order: Uint16Array,
  levels: readonly number[],
  sha256: Sha256,
): Uint8Array {
  const nodes = new Uint8Array(levels.at(-1)! * HASH);
  for (let i = 0; i < order.length; i++) nodes.set(leaves[order[i]!]!, i * HASH);
  foldUp(nodes, levels, sha256);
  return nodes;
}

function foldUp(nodes: Uint8Array, levels: readonly number[], sha256: Sha256): void {
  const words = new Uint32Array(nodes.buffer);
  // Puts the two hashes at word boundaries, after the tag byte.
  const data = new Uint8Array(new ArrayBuffer(4 + 2 * HASH), 3);
  const pair = new Uint32Array(data.buffer, 4);
  data[0] = 1;
  for (let level = 0; level + 2 < levels.length; level++) {
    const end = levels[level + 1]!;
    let parent = end;
    for (let left = levels[level]!; left < end; left += 2, parent++) {
      if (left + 1 === end) {
        nodes.copyWithin(parent * HASH, left * HASH, end * HASH);
        continue;
      }
      const swap = isAfterNext(nodes, left);
      const first = (swap ? left + 1 : left) * WORDS;
      const second = (swap ? left : left + 1) * WORDS;
      for (let w = 0; w < WORDS; w++) {
        pair[w] = words[first + w]!;
        pair[WORDS + w] = words[second + w]!;
      }
      nodes.set(sha256(data), parent * HASH);
    }
  }
}

function isAfterNext(nodes: Uint8Array, index: number): boolean {
  const at = index * HASH;
  let i = 0;
  while (i < HASH && nodes[at + i] === nodes[at + HASH + i]) i++;
  return i < HASH && nodes[at + i]! > nodes[at + HASH + i]!;
}

/** Neighbors share the upper part of their paths, so the code copies it at once. */
function collectProofs(nodes: Uint8Array, order: Uint16Array, levels: readonly number[]): Proofs {
  const source = new Uint32Array(nodes.buffer);
  const depth = levels.length - 2;
  const words = new Uint32Array(order.length * depth * WORDS);
  const starts = new Uint32Array(order.length);
  const ends = new Uint32Array(order.length);
  const above = new Uint8Array(depth + 1);
  for (let place = 0; place < order.length; place++) {
    const start = place * depth * WORDS;
    const end = start + depth * WORDS;
    const parting = place === 0 ? depth : 32 - Math.clz32(place ^ (place - 1));
    if (parting < depth) words.copyWithin(start + parting * WORDS, start - (depth - parting) * WORDS, start);
    for (let level = parting - 1; level >= 0; level--) {
      const sibling = levels[level]! + ((place >> level) ^ 1);
      above[level] = above[level + 1]!;
      if (sibling >= levels[level + 1]!) continue;
      const to = end - ++above[level]! * WORDS;
      const from = sibling * WORDS;
      for (let w = 0; w < WORDS; w++) words[to + w] = source[from + w]!;
    }
    const leaf = order[place]!;
    ends[leaf] = end / WORDS;
    starts[leaf] = end / WORDS - above[0]!;
  }
  return { bytes: new Uint8Array(words.buffer), starts, ends };
}
