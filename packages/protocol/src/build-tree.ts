import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { compareBytes, MAX_TREE_SIZE } from './tree.ts';
import type { Sha256 } from './tree.ts';

const HASH = 32;
const WORDS = HASH / 4;

/** A tree whose proofs lie in one buffer: `proof(i)` are the sibling hashes of `leaves[i]`, one after the other. */
export interface FlatTree {
  root: Uint8Array;
  /** A view, not a copy; 32 bytes a sibling, in fold order. */
  proof(index: number): Uint8Array;
}

/**
 * Folds leaves to a root (SPEC.md "Merkle rules", DECISIONS.md §2): sorted by value, an odd node promoted
 * unchanged, so the set of leaves alone fixes the root.
 * @param sha256 another SHA-256 for speed, such as node:crypto's
 * @throws {RangeError} on no leaf, more than `MAX_TREE_SIZE`, equal leaves, or a leaf that has not 32 bytes
 */
export function buildFlatTree(leaves: readonly Uint8Array[], sha256: Sha256 = nobleSha256): FlatTree {
  const order = sortedOrder(leaves);
  const levels = levelOffsets(leaves.length);
  const nodes = foldLevels(leaves, order, levels, sha256);
  const { words, starts } = collectProofs(nodes, order, levels);
  const proofs = new Uint8Array(words.buffer);
  return {
    root: nodes.slice(nodes.length - HASH),
    proof: (index) => {
      const start = starts[2 * index];
      const end = starts[2 * index + 1];
      if (start === undefined || end === undefined) throw new RangeError('no such leaf');
      return proofs.subarray(start * HASH, end * HASH);
    },
  };
}

/** As `buildFlatTree`, with each proof as a list of hashes; `proofs[i]` belongs to `leaves[i]` as given. */
export function buildTree(
  leaves: readonly Uint8Array[],
  sha256: Sha256 = nobleSha256,
): { root: Uint8Array; proofs: Uint8Array[][] } {
  const order = sortedOrder(leaves);
  const levels = levelOffsets(leaves.length);
  const nodes = foldLevels(leaves, order, levels, sha256);
  const hashes = splitProof(nodes);
  const proofs = new Array<Uint8Array[]>(leaves.length);
  order.forEach((leaf, place) => {
    proofs[leaf] = siblings(place, levels).map((sibling) => hashes[sibling]!);
  });
  return { root: nodes.slice(nodes.length - HASH), proofs };
}

/** The nodes beside the way from the leaf at `place` up to the root; a promoted node has none. */
function siblings(place: number, levels: readonly number[]): number[] {
  const found: number[] = [];
  for (let level = 0, index = place; level + 2 < levels.length; level++, index >>= 1) {
    const sibling = levels[level]! + (index ^ 1);
    if (sibling < levels[level + 1]!) found.push(sibling);
  }
  return found;
}

/**
 * Cuts a proof of concatenated hashes into views of 32 bytes each.
 * @throws {RangeError} when its length is not a multiple of 32
 */
export function splitProof(flat: Uint8Array): Uint8Array[] {
  if (flat.length % HASH !== 0) throw new RangeError('a proof is made of hashes of 32 bytes');
  return Array.from({ length: flat.length / HASH }, (_, i) => flat.subarray(i * HASH, (i + 1) * HASH));
}

/**
 * The leaves' places in order of value. Their first 39 bits and their place make one exact double, and a typed
 * array of doubles sorts an order of magnitude faster than byte strings by a comparing function.
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

/** Where each level starts among the nodes, from the leaves up; the last entry is the number of nodes. */
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
  const data = new Uint8Array(1 + 2 * HASH);
  data[0] = 1;
  for (let level = 0; level + 2 < levels.length; level++) {
    const end = levels[level + 1]!;
    let parent = end * HASH;
    for (let left = levels[level]!; left < end; left += 2, parent += HASH) {
      const at = left * HASH;
      if (left + 1 === end) {
        nodes.copyWithin(parent, at, at + HASH);
        continue;
      }
      writePair(data, nodes, at);
      nodes.set(sha256(data), parent);
    }
  }
  return nodes;
}

/** Writes the two neighbours that start at `at` into `data`, the smaller first. */
function writePair(data: Uint8Array, nodes: Uint8Array, at: number): void {
  let i = 0;
  while (i < HASH && nodes[at + i] === nodes[at + HASH + i]) i++;
  const swap = i < HASH && nodes[at + i]! > nodes[at + HASH + i]!;
  const first = swap ? at + HASH : at;
  const second = swap ? at : at + HASH;
  for (let j = 0; j < HASH; j++) {
    data[1 + j] = nodes[first + j]!;
    data[1 + HASH + j] = nodes[second + j]!;
  }
}

/**
 * All proofs in one buffer, copied by 32-bit words. `starts[2 i]` and `starts[2 i + 1]` bound the proof of
 * `leaves[i]`, counted in hashes.
 */
function collectProofs(
  nodes: Uint8Array,
  order: Uint16Array,
  levels: readonly number[],
): { words: Uint32Array; starts: Uint32Array } {
  const source = new Uint32Array(nodes.buffer);
  const depth = levels.length - 2;
  const words = new Uint32Array(order.length * depth * WORDS);
  const starts = new Uint32Array(2 * order.length);
  let to = 0;
  for (let place = 0; place < order.length; place++) {
    const leaf = order[place]!;
    starts[2 * leaf] = to / WORDS;
    for (let level = 0, index = place; level < depth; level++, index >>= 1) {
      const sibling = levels[level]! + (index ^ 1);
      if (sibling >= levels[level + 1]!) continue;
      const from = sibling * WORDS;
      for (let w = 0; w < WORDS; w++) words[to + w] = source[from + w]!;
      to += WORDS;
    }
    starts[2 * leaf + 1] = to / WORDS;
  }
  return { words, starts };
}
