import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { compareBytes, type Sha256 } from '../tree.ts';
import { bitOf, KEY_BITS, mapLeaf, type PathStep } from './map-proof.ts';

/** One record is a leaf and the inner node that its insertion made: key, two hashes, two children, bit, dirty. */
const RECORD = 112;
const [LEAF, INNER, LEFT, RIGHT, BIT, DIRTY] = [32, 64, 96, 100, 104, 105];
/** Records are allocated in chunks, so that a large map never copies its memory. */
const CHUNK = 1_024;

interface Chunk {
  bytes: Uint8Array;
  view: DataView;
}

/** Where the search for a key ends. */
export interface MapPath {
  /** number of the leaf in the order of insertion; null in an empty map */
  leaf: number | null;
  key: Uint8Array | null;
  path: PathStep[];
}

/**
 * The Patricia trie of all accounts in about 112 bytes each. `set` marks what changed, and `rehash` computes those
 * nodes once. A child is the number of an inner node, or `~n` for leaf n.
 * @example
 * const map = new AccountMap();
 * const [key, value] = [accountKey(receipt.author.user_id), mapValue(1, new Uint8Array(32))];
 * map.set(key, value);
 * run(map.rehash()); // mapLeaf(key, value)
 */
export class AccountMap {
  readonly #chunks: Chunk[] = [];
  readonly #sha256: Sha256;
  readonly #data = new Uint8Array(66);
  #size = 0;
  #root = -1;

  constructor(sha256: Sha256 = nobleSha256) {
    this.#sha256 = sha256;
    this.#data[0] = 3;
  }

  get size(): number {
    return this.#size;
  }

  /** The number of the leaf of this key, or -1. */
  find(key: Uint8Array): number {
    if (this.#size === 0) return -1;
    const leaf = this.#search(key, false);
    return compareBytes(this.keyOf(leaf), key) === 0 ? leaf : -1;
  }

  keyOf(leaf: number): Uint8Array {
    return this.#bytes(leaf, 0, 32);
  }

  /** Inserts or replaces. @returns the number of the leaf */
  set(key: Uint8Array, value: Uint8Array): number {
    const hash = mapLeaf(key, value, this.#sha256);
    const found = this.#size === 0 ? -1 : this.#search(key, true);
    const bit = found < 0 ? KEY_BITS : firstDifference(key, this.keyOf(found));
    if (found >= 0 && bit === KEY_BITS) {
      this.#bytes(found, LEAF, 32).set(hash);
      return found;
    }
    const leaf = this.#size++;
    if (leaf % CHUNK === 0) {
      const bytes = new Uint8Array(CHUNK * RECORD);
      this.#chunks.push({ bytes, view: new DataView(bytes.buffer) });
    }
    this.#bytes(leaf, 0, 32).set(key);
    this.#bytes(leaf, LEAF, 32).set(hash);
    if (found < 0) this.#root = ~leaf;
    else this.#insertInner(leaf, key, bit);
    return leaf;
  }

  /** Yields after each hash. @returns the root; 32 zero bytes for an empty map */
  *rehash(): Generator<undefined, Uint8Array> {
    if (this.#size === 0) return new Uint8Array(32);
    const open = [this.#root];
    while (open.length > 0) {
      const ref = open.at(-1)!;
      const left = ref < 0 ? -1 : this.#child(ref, 0);
      const right = ref < 0 ? -1 : this.#child(ref, 1);
      if (!this.#isDirty(ref)) open.pop();
      else if (this.#isDirty(left)) open.push(left);
      else if (this.#isDirty(right)) open.push(right);
      else {
        this.#data[1] = this.#byte(ref, BIT);
        this.#data.set(this.#hashOf(left), 2);
        this.#data.set(this.#hashOf(right), 34);
        this.#bytes(ref, INNER, 32).set(this.#sha256(this.#data));
        this.#setByte(ref, DIRTY, 0);
        yield;
      }
    }
    return this.#hashOf(this.#root).slice();
  }

  /** Valid after `rehash`, until the next `set`. */
  path(key: Uint8Array): MapPath {
    if (this.#size === 0) return { leaf: null, key: null, path: [] };
    const path: PathStep[] = [];
    let ref = this.#root;
    while (ref >= 0) {
      const bit = this.#byte(ref, BIT);
      const side = bitOf(key, bit);
      path.unshift({ bit, hash: this.#hashOf(this.#child(ref, 1 - side)).slice() });
      ref = this.#child(ref, side);
    }
    return { leaf: ~ref, key: this.keyOf(~ref).slice(), path };
  }

  #search(key: Uint8Array, marks: boolean): number {
    let ref = this.#root;
    while (ref >= 0) {
      if (marks) this.#setByte(ref, DIRTY, 1);
      ref = this.#child(ref, bitOf(key, this.#byte(ref, BIT)));
    }
    return ~ref;
  }

  #insertInner(at: number, key: Uint8Array, bit: number): void {
    let above = -1;
    let ref = this.#root;
    while (ref >= 0 && this.#byte(ref, BIT) < bit) {
      above = ref;
      ref = this.#child(ref, bitOf(key, this.#byte(ref, BIT)));
    }
    const side = bitOf(key, bit);
    this.#setByte(at, BIT, bit);
    this.#setByte(at, DIRTY, 1);
    this.#setChild(at, side, ~at);
    this.#setChild(at, 1 - side, ref);
    if (above < 0) this.#root = at;
    else this.#setChild(above, bitOf(key, this.#byte(above, BIT)), at);
  }

  #isDirty(ref: number): boolean {
    return ref >= 0 && this.#byte(ref, DIRTY) === 1;
  }

  #hashOf(ref: number): Uint8Array {
    return ref < 0 ? this.#bytes(~ref, LEAF, 32) : this.#bytes(ref, INNER, 32);
  }

  #bytes(record: number, offset: number, length: number): Uint8Array {
    const from = (record % CHUNK) * RECORD + offset;
    return this.#chunks[Math.floor(record / CHUNK)]!.bytes.subarray(from, from + length);
  }

  #byte(record: number, offset: number): number {
    return this.#chunks[Math.floor(record / CHUNK)]!.bytes[(record % CHUNK) * RECORD + offset]!;
  }

  #setByte(record: number, offset: number, value: number): void {
    this.#chunks[Math.floor(record / CHUNK)]!.bytes[(record % CHUNK) * RECORD + offset] = value;
  }

  #child(record: number, side: number): number {
    const offset = (record % CHUNK) * RECORD + (side === 0 ? LEFT : RIGHT);
    return this.#chunks[Math.floor(record / CHUNK)]!.view.getInt32(offset);
  }

  #setChild(record: number, side: number, ref: number): void {
    const offset = (record % CHUNK) * RECORD + (side === 0 ? LEFT : RIGHT);
    this.#chunks[Math.floor(record / CHUNK)]!.view.setInt32(offset, ref);
  }
}

/** `KEY_BITS` for equal keys. */
function firstDifference(a: Uint8Array, b: Uint8Array): number {
  for (let at = 0; at < a.length; at++) {
    const difference = a[at]! ^ b[at]!;
    if (difference !== 0) return 8 * at + Math.clz32(difference) - 24;
  }
  return KEY_BITS;
}
