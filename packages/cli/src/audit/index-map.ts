// Recomputes every index entry of a log from the leaves of its trees (docs/protocol.md#418-the-index-of-accounts). The
// file of the map only saves time: without it, everything is recomputed.
import { readFileSync } from 'node:fs';
import { hash } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { bytesToHex, hexToBytes } from '@svc/protocol';
import { AccountIndex, IndexError, readIndexData } from '@svc/protocol/account-index';
import { LogTree } from '@svc/protocol/conventions';
import { type Checkpoint, entryHash } from '@svc/protocol/tlog';
import { type LogReader, LogUnread, readEntries, readTree, treeOf } from '@svc/verifier/account-index';
import { replaceFile } from '../out-file.ts';
import { sha256 } from './job.ts';

/** Version 1 stored only the number of verified entries: it may accept other entries in their place. */
const FORMAT = 'svc-index-map:v2';
const SLICE_MS = 5;

interface Entry {
  data: Uint8Array;
  logIndex: number;
  /** root of the log that ends with this entry */
  root: Uint8Array;
}

export class IndexMap {
  readonly #origin: string;
  readonly #index: AccountIndex;
  /** the first entries of the log, whose trees the map has */
  readonly #covered: LogTree;
  /** the index entries among the first entries of the log are right, if these make this root */
  #verified: { size: number; root: Uint8Array };
  #entries = 0;
  #changed = 0;

  private constructor(
    origin: string,
    index: AccountIndex,
    covered: LogTree,
    verified = { size: 0, root: new LogTree(sha256).root() },
  ) {
    this.#origin = origin;
    this.#index = index;
    this.#covered = covered;
    this.#verified = verified;
  }

  /** log entries that are known: a shorter log cannot be checked */
  get size(): number {
    return Math.max(this.#covered.size, this.#verified.size);
  }

  get accounts(): number {
    return this.#index.accounts;
  }

  /** that were recomputed and are right, since the map was loaded */
  get entries(): number {
    return this.#entries;
  }

  /** The number of leaves that a saved map would not have. */
  get changed(): number {
    return this.#changed;
  }

  static empty = (origin: string): IndexMap =>
    new IndexMap(origin, new AccountIndex(sha256), new LogTree(sha256));

  /**
   * Checks the entries up to a signed checkpoint. A map that stopped between two trees continues from there.
   * @throws {IndexError} naming the wrong index entry or tree
   * @throws {LogUnread}
   */
  async advance(
    log: LogReader,
    { size, root }: Pick<Checkpoint, 'size' | 'root'>,
    onTree?: (logIndex: number) => void,
  ): Promise<void> {
    const from = this.#covered.size;
    if (size < this.size)
      throw new LogUnread(`the index of ${this.size} entries was recomputed: send a checkpoint with as many`);
    const entries: Entry[] = [];
    const whole = LogTree.resume(from, this.#covered.edge, sha256);
    for await (const data of readEntries(log, from, size)) {
      const logIndex = whole.size;
      whole.add(entryHash(data));
      entries.push({ data, logIndex, root: whole.root() });
    }
    if (Buffer.compare(whole.root(), root) !== 0)
      throw new IndexError(`its first ${size} entries do not make the root that its checkpoint signs`);
    const verified = this.#verified;
    const last = entries[verified.size - 1 - from];
    if (last !== undefined && Buffer.compare(last.root, verified.root) !== 0)
      throw new IndexError(
        `it is forked: its first ${verified.size} entries are not those whose index was recomputed`,
      );
    for (const { data, logIndex, root: rootHere } of entries) {
      const found = readIndexData(data);
      if (found === null || logIndex < verified.size) continue;
      const { covered } = found;
      if (covered > logIndex || covered < this.#covered.size)
        throw new IndexError(
          `its index entry ${logIndex} covers ${covered} entries; ${logIndex} are before it, and an earlier one covers ${this.#covered.size}`,
        );
      while (this.#covered.size < covered) {
        onTree?.(this.#covered.size);
        await this.#cover(log, entries[this.#covered.size - from]!);
      }
      const made = await inSlices(this.#index.root());
      if (Buffer.compare(made, found.root) !== 0)
        throw new IndexError(
          `its index entry ${logIndex} has the root ${bytesToHex(found.root)}, and the leaves of the trees before it make ${bytesToHex(made)}`,
        );
      this.#verified = { size: logIndex + 1, root: rootHere };
      this.#entries++;
    }
  }

  async #cover(log: LogReader, { data, logIndex }: Entry): Promise<void> {
    const tree = treeOf(data);
    if (tree?.treeVersion === 2) {
      const packed = await readTree(log, logIndex, tree, sha256);
      await inSlices(this.#index.addTree({ logIndex, kind: tree.kind, packed }));
      this.#changed += tree.treeSize;
    }
    this.#covered.add(entryHash(data));
  }

  /** Atomic. @throws when the disk fails; the earlier file stays */
  save(path: string): void {
    replaceFile(path, this.#chunks());
    this.#changed = 0;
  }

  *#chunks(): Generator<string | Uint8Array> {
    const edge = this.#covered.edge.map(bytesToHex);
    const { size, root } = this.#verified;
    yield `${headOf({ origin: this.#origin, verified: { size, root: bytesToHex(root) }, edge })}\n`;
    yield* this.#index.snapshot(this.#covered.size);
  }

  /** Null for a missing or damaged file, or one of another log. */
  static load(path: string, origin: string): IndexMap | null {
    let bytes: Buffer;
    try {
      bytes = readFileSync(path);
    } catch {
      return null;
    }
    const end = bytes.indexOf('\n');
    try {
      const head = bytes.toString('utf8', 0, end);
      const { state } = JSON.parse(head) as { state: State };
      if (head !== headOf(state) || state.origin !== origin) return null;
      const { index, covered } = AccountIndex.restore(bytes.subarray(end + 1), sha256);
      const tree = LogTree.resume(covered, state.edge.map(hexToBytes), sha256);
      const { size, root } = state.verified;
      return new IndexMap(origin, index, tree, { size, root: hexToBytes(root) });
    } catch (error) {
      const kinds = [SyntaxError, TypeError, RangeError, IndexError];
      if (kinds.some((kind) => error instanceof kind)) return null;
      throw error;
    }
  }
}

interface State {
  origin: string;
  verified: { size: number; root: string };
  /** right edge of the log's tree over the covered entries */
  edge: string[];
}

const headOf = (state: State): string =>
  JSON.stringify({ format: FORMAT, sha256: hash('sha256', JSON.stringify(state)), state });

async function inSlices<Value>(work: Generator<undefined, Value>): Promise<Value> {
  let end = performance.now() + SLICE_MS;
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
    if (performance.now() < end) continue;
    await turn();
    end = performance.now() + SLICE_MS;
  }
}
