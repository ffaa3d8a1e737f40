// The leader's map of accounts. It appends an index entry to the log before a checkpoint covers its trees.
import { setTimeout as sleep } from 'node:timers/promises';
import { type AccountMap, encodeIndexData, IndexError, readIndexData } from '@svc/protocol/account-index';
import type { Db } from '../../db/db.ts';
import type { IndexRecords } from './index-records.ts';
import { insertIndexEntry, lockLog } from '../log/entries.ts';
import {
  entriesFrom,
  holdIndex,
  indexEntriesOf,
  isEntryAt,
  lastIndexEntry,
  type IndexState,
  type LogEntry,
  moveCovered,
  readState,
  resetIndex,
  signedSize,
  storeAccounts,
} from './index-store.ts';
import { LeavesUnknown, LiveMap } from './live-map.ts';

/** A small map is loaded before the checkpoint that waits for it. */
const PATIENCE_MS = 1_000;
const ROWS_AT_ONCE = 1_000;

export interface IndexKeeper {
  /**
   * Appends an index entry behind each entry below this size that no checkpoint has, so that a restored log gets the
   * same index entries (docs/decisions/0028-the-index-of-accounts.md).
   * @returns the size up to which a checkpoint may be signed
   */
  extend(size: number): Promise<number>;
  /** Reads from the map if it covers so many entries of the log; else undefined. */
  readAt<T>(covered: number, read: (map: AccountMap) => T): Promise<T | undefined>;
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
  /** what the database has; undefined: not known yet */
  let held: string | null | undefined;
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
    const recorded = [...(await records.read()).keys()];
    begin = last === undefined && recorded.length > 0 ? Math.min(...recorded) : 0;
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

  /** The map with what other processes stored. */
  async function follow(): Promise<LiveMap> {
    const state = await readState(db);
    let map = live;
    live = undefined;
    if (map?.generation !== state.generation || map.covered > state.covered)
      map = await LiveMap.load(db, state);
    else await records.append(await indexEntriesOf(db, map.covered, state.covered));
    if (map.covered < state.covered) await map.advance(db, state.covered);
    return (live = map);
  }

  async function work(size: number): Promise<number> {
    end = size;
    for (;;) {
      const map = await follow();
      const [entry, next] = map.covered < end ? await entriesFrom(db, map.covered, 2) : [];
      if (entry === undefined) return map.covered;
      const isNew = entry.index >= (await signedSize(db)) && readIndexData(entry.data) === null;
      const appends =
        isNew && entry.index + 1 >= begin && (next === undefined || readIndexData(next.data) === null);
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
    if (readIndexData(entry.data) !== null && !isRootOf(entry, root)) throw new WrongRoot(entry.index);
    const covered = entry.index + 1;
    const to = appends ? covered + 1 : covered;
    if (appends) await records.append([{ root, covered }]);
    const isStored = await db.tx(async (tx) => {
      await lockLog(tx);
      if (!(await isEntryAt(tx, entry)) || !(await moveCovered(tx, map, to))) return false;
      if (appends) await insertIndexEntry(tx, covered, encodeIndexData({ root, covered }));
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
        await storeAccounts(tx, rows.slice(from, from + ROWS_AT_ONCE));
      return true;
    });
    if (!isStored) return false;
    map.covered = to;
    live = map;
    return true;
  }

  /** Checkpoints wait for the map, but not for the first index of an existing log. */
  async function indexedSize(): Promise<number> {
    const last = await lastIndexEntry(db);
    return last === undefined ? Infinity : last.index + 1;
  }

  /**
   * Behind a tree whose etches a restored database lost, index entries are those of the records. Without a record, no
   * checkpoint goes past the tree, because an earlier one may have an index entry there.
   */
  async function restore(from: number, size: number): Promise<number> {
    end = Math.max(end, size);
    const [roots, signed, last] = [await records.read(), await signedSize(db), await lastIndexEntry(db)];
    for (let at = Math.max(from, signed); at < end; at++) {
      const [entry, next] = await entriesFrom(db, at, 2);
      if (entry === undefined || [entry, next].some((one) => one && readIndexData(one.data) !== null))
        continue;
      const covered = at + 1;
      const root = roots.get(covered);
      if (root === undefined) {
        // These records have the newest index entry, so they would have this one.
        const isFirst = last === undefined || (roots.has(last.index) && Math.max(...roots.keys()) <= at);
        return isFirst ? Infinity : at;
      }
      const data = encodeIndexData({ root, covered });
      const isStored = await db.tx(async (tx) => {
        await lockLog(tx);
        const isSame = await isEntryAt(tx, entry);
        if (isSame) await insertIndexEntry(tx, covered, data);
        return isSame;
      });
      if (!isStored) return at;
      end++;
    }
    return end;
  }

  async function extend(size: number): Promise<number> {
    try {
      if (live === undefined || opening !== undefined) {
        opening ??= open().finally(() => (opening = undefined));
        // The next call reports a rejection after the race.
        opening.catch(() => undefined);
        const late = sleep(PATIENCE_MS, 'late' as const, { ref: false });
        if ((await Promise.race([opening, late])) === 'late') return await indexedSize();
      }
      const indexed = await work(size);
      await hold(null);
      return indexed;
    } catch (error) {
      if (!(error instanceof LeavesUnknown) && !(error instanceof WrongRoot)) throw error;
      const limit = error instanceof WrongRoot ? Infinity : await restore(error.index, size);
      const page = error instanceof WrongRoot ? 'a-wrong-index-entry' : 'lost-etches';
      await hold(`the index of accounts ends: ${error.message} (docs/operating/recovery.md#${page})`);
      return limit;
    }
  }

  /** `/status` and `svc-admin doctor` say it in each process. */
  async function hold(why: string | null): Promise<void> {
    if (held === why) return;
    if (why !== null) log.error({}, why);
    await holdIndex(db, why);
    held = why;
  }

  return {
    extend: (size) => (working = extend(size)),
    async readAt(covered, read) {
      await working?.catch(() => undefined);
      return live?.covered === covered ? read(live.map) : undefined;
    },
  };
}

const isRootOf = ({ data }: LogEntry, root: Uint8Array): boolean =>
  Buffer.from(root).equals(data.subarray(0, 32));
