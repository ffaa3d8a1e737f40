// The leader's map of accounts. It appends an index entry to the log before a checkpoint covers its trees.
import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountMap, encodeIndexData, IndexError, readIndexData } from '@svc/protocol/account-index';
import type { Db, Tx } from '../../db/db.ts';
import type { IndexRecord, IndexRecords } from './index-records.ts';
import { insertIndexEntry, lockLog, logSize } from '../log/entries.ts';
import {
  entriesFrom,
  holdIndex,
  isEntryAt,
  isOpenAt,
  isStagedHere,
  lastIndexEntry,
  type IndexState,
  type LogEntry,
  moveCovered,
  readState,
  recordsOf,
  resetIndex,
  signedSize,
  storeAccounts,
} from './index-store.ts';
import { LeavesUnknown, LiveMap } from './live-map.ts';

/** A small map is loaded before the checkpoint that waits for it. */
const PATIENCE_MS = 1_000;
const ROWS_AT_ONCE = 1_000;
const RECORDS_AT_ONCE = 10_000;

export interface IndexKeeper {
  /**
   * Appends an index entry behind each entry below this size that no checkpoint has, so that a restored log gets the
   * same index entries (docs/decisions/0028-the-index-of-accounts.md).
   * @returns the size up to which a checkpoint may be signed
   */
  extend(size: number): Promise<number>;
  /** Reads from the map if it covers so many entries of the log and has this root; else undefined. */
  readAt<T>(at: { covered: number; root: Uint8Array }, read: (map: AccountMap) => T): Promise<T | undefined>;
}

interface KeeperOptions {
  db: Db;
  records: IndexRecords;
  log: { warn(fields: object, message: string): void; error(fields: object, message: string): void };
}

class WrongRoot extends Error {
  override name = 'WrongRoot';
  readonly index: number;
  constructor(index: number) {
    super(`its entry ${index} of the log of trees does not have the root that the leaves make`);
    this.index = index;
  }
}

export function createIndexKeeper({ db, records, log }: KeeperOptions): IndexKeeper {
  /** undefined while it changes */
  let live: LiveMap | undefined;
  let opening: Promise<void> | undefined;
  let working: Promise<number> | undefined;
  /** the last reason in the log */
  let held: string | null = null;
  /** by covered size: trees that the records have without an index entry */
  const omitted = new Map<number, IndexRecord>();
  /** A restored database from before the first index entry gets it at the same place. */
  let begin = 0;
  /** the entries to process; grows with each index entry that is inserted before it */
  let end = 0;

  /** Loads the map and adds the trees of the checkpoints. */
  async function open(): Promise<void> {
    const [state, last] = [await readState(db), await lastIndexEntry(db)];
    live = await loadSound(state, last?.index === state.covered - 1 ? last : undefined);
    if (live === undefined) {
      log.error({}, 'the rows of the index of accounts are damaged: they are computed again from the leaves');
      await db.tx((tx) => resetIndex(tx, 0));
    }
    const first = await copyToRecords();
    begin = last === undefined && first < Infinity ? first : 0;
    await work(Math.max(await signedSize(db), (last?.index ?? -1) + 1));
  }

  /** @returns undefined if the rows do not make the root of the index entry */
  async function loadSound(state: IndexState, entry: LogEntry | undefined): Promise<LiveMap | undefined> {
    try {
      const map = await LiveMap.load(db, state);
      return entry === undefined || isRootOf(entry, await map.root()) ? map : undefined;
    } catch (error) {
      if (error instanceof IndexError) return undefined;
      throw error;
    }
  }

  /**
   * Appends to the records what other machines stored while this process did not run.
   * @returns the smallest covered size of an index entry in the records
   */
  async function copyToRecords(): Promise<number> {
    const known = await records.read();
    const size = await logSize(db);
    for (let from = 0; from < size; from += RECORDS_AT_ONCE) {
      const found = await recordsOf(db, from, from + RECORDS_AT_ONCE);
      await records.append(found.filter((record) => !isSameRecord(known.get(record.covered), record)));
    }
    let first = Infinity;
    omitted.clear();
    for (const record of known.values())
      if (record.root === null) omitted.set(record.covered, record);
      else first = Math.min(first, record.covered);
    return first;
  }

  /** The map with what other processes stored. @throws {Error} if it does not have the root in the log */
  async function follow(): Promise<LiveMap> {
    const state = await readState(db);
    let map = live;
    live = undefined;
    if (map?.generation !== state.generation || map.covered > state.covered) {
      map = await LiveMap.load(db, state);
      await copyToRecords();
    } else await records.append(await recordsOf(db, map.covered, state.covered));
    if (map.covered < state.covered) await map.advance(db, state.covered);
    // After a failover that lost commits, another map can cover as many entries. A new start loads the rows.
    const [last] = map.covered > 0 ? await entriesFrom(db, map.covered - 1, 1) : [];
    if (last && readIndexData(last.data) !== null && !isRootOf(last, await map.root()))
      throw new Error(
        `the index of accounts does not have the root in entry ${last.index}: it is loaded again`,
      );
    return (live = map);
  }

  async function work(size: number): Promise<number> {
    end = size;
    for (;;) {
      const map = await follow();
      const [entry] = map.covered < end ? await entriesFrom(db, map.covered, 1) : [];
      if (entry === undefined) return map.covered;
      const hasPlace = entry.index + 1 >= begin && recordFor(entry, omitted) === undefined;
      const appends = hasPlace && (await isOpenAt(db, entry));
      if ((await step(map, entry, appends)) && appends) end++;
    }
  }

  /** One transaction stores the rows of an entry and the index entry behind it. A failure discards the map. */
  async function step(map: LiveMap, entry: LogEntry, appends: boolean): Promise<boolean> {
    live = undefined;
    const rows = await map.add(db, entry).catch((error: unknown) => {
      if (error instanceof LeavesUnknown) live = map;
      throw error;
    });
    const root = await map.root();
    if (readIndexData(entry.data) !== null && !isRootOf(entry, root)) {
      // The entry has no leaves, so that the map did not change.
      live = map;
      throw new WrongRoot(entry.index);
    }
    const covered = entry.index + 1;
    const to = appends ? covered + 1 : covered;
    const isStored = await db.tx(async (tx) => {
      await lockLog(tx);
      // Another process may have signed the tree since.
      const isUnchanged = await (appends ? isOpenAt : isEntryAt)(tx, entry);
      if (!isUnchanged || !(await moveCovered(tx, map, to))) return false;
      if (appends) await storeRecord(tx, recordOf(entry, Buffer.from(root)));
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
        await storeAccounts(tx, rows.slice(from, from + ROWS_AT_ONCE));
      return true;
    });
    if (!isStored) return false;
    map.covered = to;
    live = map;
    return true;
  }

  /** In the records first. The log is locked. */
  async function storeRecord(tx: Tx, record: IndexRecord): Promise<void> {
    const { root, covered } = record;
    await records.append([record]);
    if (root === null) omitted.set(covered, record);
    else await insertIndexEntry(tx, covered, encodeIndexData({ root, covered }));
  }

  /** Checkpoints wait for the map, but not for the first index of an existing log. */
  async function sizeWithoutMap(size: number): Promise<number> {
    const last = await lastIndexEntry(db);
    return last === undefined ? continueByRecords(0, size) : last.index + 1;
  }

  /**
   * Continues the log without a map: inserts the index entries that the records have. A tree that this database staged
   * gets no index entry, and the records say so before a checkpoint covers the tree. The log ends before an adopted tree
   * without a record, because an earlier checkpoint may have an index entry behind that tree.
   * @returns the size up to which a checkpoint may be signed
   */
  async function continueByRecords(from: number, size: number): Promise<number> {
    let limit = size;
    const known = await records.read();
    for (let at = Math.max(from, await signedSize(db)); at < limit; at++) {
      const [entry] = await entriesFrom(db, at, 1);
      if (entry === undefined || !(await isOpenAt(db, entry))) continue;
      const found = recordFor(entry, known);
      const isWithout = at + 1 < begin || (await isStagedHere(db, at));
      if (found === undefined && !isWithout) return at;
      const record = found ?? recordOf(entry, null);
      const isStored = await db.tx(async (tx) => {
        await lockLog(tx);
        const isOpen = await isOpenAt(tx, entry);
        if (isOpen && (found === undefined || found.root !== null)) await storeRecord(tx, record);
        return isOpen;
      });
      if (!isStored) return at;
      if (record.root !== null) limit++;
    }
    return limit;
  }

  async function extend(size: number): Promise<number> {
    try {
      if (live === undefined || opening !== undefined) {
        opening ??= open().finally(() => (opening = undefined));
        // The next call reports a rejection after the race.
        opening.catch(() => undefined);
        const late = sleep(PATIENCE_MS, 'late' as const, { ref: false });
        if ((await Promise.race([opening, late])) === 'late') return await sizeWithoutMap(size);
      }
      const indexed = await work(size);
      await hold(null);
      return indexed;
    } catch (error) {
      if (!(error instanceof LeavesUnknown) && !(error instanceof WrongRoot)) throw error;
      const wanted = Math.max(end, size);
      const isUnsigned = error instanceof WrongRoot && error.index >= (await signedSize(db));
      const limit = isUnsigned ? error.index : await continueByRecords(error.index, wanted);
      const stop = limit < wanted ? `; no checkpoint has entry ${limit}` : '';
      const page = error instanceof WrongRoot ? 'a-wrong-index-entry' : 'lost-etches';
      await hold(`the index of accounts ends: ${error.message}${stop} (docs/operating/recovery.md#${page})`);
      return limit;
    }
  }

  /** `/status` and `svc-admin doctor` say it in each process. */
  async function hold(why: string | null): Promise<void> {
    if (why !== null && why !== held) log.error({}, why);
    held = why;
    await holdIndex(db, why);
  }

  return {
    extend: (size) => (working = extend(size)),
    async readAt({ covered, root }, read) {
      await working?.catch(() => undefined);
      const map = live;
      if (map?.covered !== covered || !Buffer.from(await map.root()).equals(root)) return undefined;
      return map === live && map.covered === covered ? read(map.map) : undefined;
    },
  };
}

const isRootOf = ({ data }: LogEntry, root: Uint8Array): boolean =>
  Buffer.from(root).equals(data.subarray(0, 32));

const recordOf = ({ index, data }: LogEntry, root: Buffer | null): IndexRecord => ({
  covered: index + 1,
  root,
  tree: data.subarray(0, 32),
});

/** Ignores the record of another tree: no checkpoint had that tree, and this one took its index. */
function recordFor(
  { index, data }: LogEntry,
  records: ReadonlyMap<number, IndexRecord>,
): IndexRecord | undefined {
  const found = records.get(index + 1);
  return found?.tree === undefined || found.tree.equals(data.subarray(0, 32)) ? found : undefined;
}

const isSameRecord = (one: IndexRecord | undefined, { root, tree }: IndexRecord): boolean =>
  one !== undefined &&
  (one.tree === undefined || one.tree.equals(tree!)) &&
  (one.root === null || root === null ? one.root === root : one.root.equals(root));
