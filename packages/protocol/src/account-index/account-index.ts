import { sha256 as nobleSha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';
import { parent } from '../conventions/log-tree.ts';
import { hexToBytes } from '../hex.ts';
import { bigEndian } from '../timelock/drand-chain.ts';
import { compareBytes, type Sha256 } from '../tree.ts';
import { AccountMap } from './account-map.ts';
import { accountLeaf, entriesOfTree, IndexError, readUint64, run } from './entries.ts';
import { mapValue } from './map-proof.ts';

const CHUNK = 1_024;
const PEAK = 36;

/** Hashes of 32 bytes in linked lists, in chunks. 0 ends a list. */
class PeakLists {
  readonly #chunks: DataView[] = [];
  #used = 0;
  #free = 0;

  push(next: number, hash: Uint8Array): number {
    const at = this.#take();
    this.hash(at).set(hash);
    this.#link(at, next);
    return at;
  }

  release(at: number): void {
    this.#link(at, this.#free);
    this.#free = at;
  }

  next(at: number): number {
    return this.#chunks[Math.floor(at / CHUNK)]!.getUint32((at % CHUNK) * PEAK + 32);
  }

  hash(at: number): Uint8Array {
    return new Uint8Array(this.#chunks[Math.floor(at / CHUNK)]!.buffer, (at % CHUNK) * PEAK, 32);
  }

  #take(): number {
    const at = this.#free;
    if (at !== 0) {
      this.#free = this.next(at);
      return at;
    }
    const fresh = ++this.#used;
    if (Math.floor(fresh / CHUNK) >= this.#chunks.length)
      this.#chunks.push(new DataView(new ArrayBuffer(CHUNK * PEAK)));
    return fresh;
  }

  #link(at: number, next: number): void {
    this.#chunks[Math.floor(at / CHUNK)]!.setUint32((at % CHUNK) * PEAK + 32, next);
  }
}

/**
 * Recomputes the index from the leaves of every tree, for a witness or an auditor. Every generator yields after a few
 * hashes; `run` runs one at once.
 * @example
 * const index = new AccountIndex();
 * const packed = packLeaves(2, [{ user_id: receipt.author.user_id, hash: receipt.hash }]);
 * run(index.addTree({ logIndex: 0, kind: 0, packed }));
 * const copy = AccountIndex.restore(concatBytes(...index.snapshot(1)));
 * [copy.covered, run(copy.index.root())]; // [1, run(index.root())]
 */
export class AccountIndex {
  readonly #map: AccountMap;
  readonly #peaks = new PeakLists();
  /** of each leaf of the map: its number of entries, and its smallest peak */
  readonly #counts: Float64Array[] = [];
  readonly #heads: Uint32Array[] = [];
  readonly #sha256: Sha256;

  constructor(sha256: Sha256 = nobleSha256) {
    this.#sha256 = sha256;
    this.#map = new AccountMap(sha256);
  }

  get accounts(): number {
    return this.#map.size;
  }

  /**
   * Trees are added in the order of the log. Trees of other versions are not covered.
   * @param tree of version 2, with leaves whose root the caller compared with the entry of the log
   */
  *addTree(tree: { logIndex: number; kind: 0 | 1; packed: Uint8Array }): Generator<undefined, void> {
    const entries = yield* entriesOfTree(tree, this.#sha256);
    for (const [account, some] of entries) {
      const key = this.#sha256(hexToBytes(account));
      const leaf = this.#map.find(key);
      let [count, head] = leaf < 0 ? [0, 0] : [this.#count(leaf), this.#head(leaf)];
      for (const entry of some) {
        let hash = accountLeaf(entry, this.#sha256);
        for (let size = count; size % 2 === 1; size = (size - 1) / 2) {
          hash = parent(this.#peaks.hash(head), hash, this.#sha256);
          const next = this.#peaks.next(head);
          this.#peaks.release(head);
          head = next;
        }
        head = this.#peaks.push(head, hash);
        count++;
        yield;
      }
      this.#store(key, count, head);
    }
  }

  /** The root of the map; 32 zero bytes without an account. */
  root(): Generator<undefined, Uint8Array> {
    return this.#map.rehash();
  }

  /** For a file. @param covered the number of log entries that the index covers */
  *snapshot(covered: number): Generator<Uint8Array, void> {
    yield concatBytes(bigEndian(covered, 8), run(this.root()));
    for (let leaf = 0; leaf < this.#map.size; leaf++) {
      const peaks: Uint8Array[] = [];
      for (let at = this.#head(leaf); at !== 0; at = this.#peaks.next(at))
        peaks.unshift(this.#peaks.hash(at));
      yield concatBytes(this.#map.keyOf(leaf), bigEndian(this.#count(leaf), 8), ...peaks);
    }
  }

  /** @throws {IndexError} when the bytes are not those of a snapshot */
  static restore(bytes: Uint8Array, sha256?: Sha256): { index: AccountIndex; covered: number } {
    const index = new AccountIndex(sha256);
    let at = 0;
    const take = (length: number): Uint8Array => {
      if (at + length > bytes.length) throw new IndexError('the snapshot of the index is cut');
      return bytes.subarray(at, (at += length));
    };
    const covered = readUint64(take(8));
    const root = take(32);
    while (at < bytes.length) {
      const key = take(32);
      const count = readUint64(take(8));
      let head = 0;
      // One peak for each 1 bit of the count.
      for (let rest = count; rest > 0; rest = Math.floor(rest / 2))
        if (rest % 2 === 1) head = index.#peaks.push(head, take(32));
      if (head === 0) throw new IndexError('the snapshot of the index has an account without entries');
      index.#store(key, count, head);
    }
    if (compareBytes(run(index.root()), root) !== 0)
      throw new IndexError('the snapshot of the index is damaged: its accounts do not make its root');
    return { index, covered };
  }

  #store(key: Uint8Array, count: number, head: number): void {
    let root = this.#peaks.hash(head);
    for (let at = this.#peaks.next(head); at !== 0; at = this.#peaks.next(at))
      root = parent(this.#peaks.hash(at), root, this.#sha256);
    const leaf = this.#map.set(key, mapValue(count, root));
    const chunk = Math.floor(leaf / CHUNK);
    this.#counts[chunk] ??= new Float64Array(CHUNK);
    this.#heads[chunk] ??= new Uint32Array(CHUNK);
    this.#counts[chunk][leaf % CHUNK] = count;
    this.#heads[chunk][leaf % CHUNK] = head;
  }

  #count(leaf: number): number {
    return this.#counts[Math.floor(leaf / CHUNK)]![leaf % CHUNK]!;
  }

  #head(leaf: number): number {
    return this.#heads[Math.floor(leaf / CHUNK)]![leaf % CHUNK]!;
  }
}
