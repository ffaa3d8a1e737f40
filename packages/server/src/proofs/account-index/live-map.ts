// A map of accounts in memory, made from the rows and moved forward tree by tree.
import { decodeAttestationData } from '@svc/protocol';
import {
  ACCOUNT_ENTRY_LENGTH,
  accountLeaf,
  AccountMap,
  decodeAccountEntry,
  entriesOfTree,
  mapValue,
  readIndexData,
  resumeAccount,
} from '@svc/protocol/account-index';
import type { Queryable } from '../../db/db.ts';
import { runInTimeSlices } from '../../platform/flow/time-slices.ts';
import { sha256 } from '../../platform/secrets/signing-key.ts';
import {
  type AccountRow,
  entriesFrom,
  entriesOf,
  findAccounts,
  type IndexState,
  leavesAt,
  listAccounts,
  type LogEntry,
} from './index-store.ts';

const ROWS_AT_ONCE = 500;

/** The part of one account's record that an index covers. */
export interface AccountState {
  count: number;
  peaks: readonly Uint8Array[];
}

const peaksOf = (bytes: Uint8Array): Uint8Array[] =>
  Array.from({ length: bytes.length / 32 }, (_, at) => bytes.subarray(32 * at, 32 * at + 32));

/** The state of the first `count` entries. */
export const stateOfEntries = (bytes: Uint8Array, count: number): Promise<AccountState> =>
  runInTimeSlices(
    (function* () {
      const tree = resumeAccount(0, [], sha256);
      for (let at = 0; at < count; at++) {
        const entry = bytes.subarray(at * ACCOUNT_ENTRY_LENGTH, (at + 1) * ACCOUNT_ENTRY_LENGTH);
        tree.add(accountLeaf(decodeAccountEntry(entry), sha256));
        yield;
      }
      return { count, peaks: tree.edge };
    })(),
  );

/** If an index covers fewer entries than the rows do, the state is computed from the entries. */
export async function stateAt(db: Queryable, row: AccountRow, covered: number): Promise<AccountState> {
  if (row.since <= covered) return { count: row.count, peaks: peaksOf(row.peaks) };
  const entries = await entriesOf(db, row.userId, covered);
  return stateOfEntries(entries, entries.length / ACCOUNT_ENTRY_LENGTH);
}

export const valueOf = ({ count, peaks }: AccountState): Uint8Array =>
  mapValue(count, resumeAccount(count, peaks, sha256).root());

/** The log has a tree of version 2 whose leaves this database does not have. */
export class LeavesUnknown extends Error {
  override name = 'LeavesUnknown';
  readonly index: number;
  constructor(index: number) {
    super(`this database does not have the etches of entry ${index} of the log of trees`);
    this.index = index;
  }
}

/** The map of an index that covers `covered` entries of the log. Only one call runs at a time. */
export class LiveMap {
  readonly map = new AccountMap(sha256);
  covered = 0;
  generation = 0;

  static async load(db: Queryable, { covered, generation }: IndexState): Promise<LiveMap> {
    const live = new LiveMap();
    live.generation = generation;
    let after: Buffer = Buffer.alloc(0);
    for (;;) {
      const rows = await listAccounts(db, after, ROWS_AT_ONCE);
      await live.#setAll(db, rows, covered);
      if (rows.length < ROWS_AT_ONCE) break;
      after = rows.at(-1)!.key;
    }
    await live.root();
    live.covered = covered;
    return live;
  }

  root = (): Promise<Uint8Array> => runInTimeSlices(this.map.rehash());

  /** Reads what another process stored. */
  async advance(db: Queryable, to: number): Promise<void> {
    for (let at = this.covered; at < to;) {
      const entries = (await entriesFrom(db, at, ROWS_AT_ONCE)).filter(({ index }) => index < to);
      if (entries.length === 0) throw new Error(`the log of trees ends at ${at}, before ${to}`);
      for (const entry of entries) {
        const accounts = [...(await entriesIn(db, entry)).keys()];
        for (let from = 0; from < accounts.length; from += ROWS_AT_ONCE) {
          const keys = accounts.slice(from, from + ROWS_AT_ONCE).map(keyOf);
          await this.#setAll(db, await findAccounts(db, keys), to);
        }
      }
      at = entries.at(-1)!.index + 1;
    }
    await this.root();
    this.covered = to;
  }

  /** Adds a tree to the map alone. @returns the rows that changed; the caller stores them and moves `covered` */
  async add(db: Queryable, entry: LogEntry): Promise<AccountRow[]> {
    const accounts = [...(await entriesIn(db, entry))];
    const changed: AccountRow[] = [];
    for (let from = 0; from < accounts.length; from += ROWS_AT_ONCE) {
      const some = accounts.slice(from, from + ROWS_AT_ONCE);
      const rows = await findAccounts(
        db,
        some.map(([account]) => keyOf(account)),
      );
      const known = new Map(rows.map((row) => [row.key.toString('hex'), row]));
      await runInTimeSlices(
        (function* (map: AccountMap) {
          for (const [userId, entries] of some) {
            const key = keyOf(userId);
            const before = known.get(key.toString('hex'));
            const tree = resumeAccount(before?.count ?? 0, peaksOf(before?.peaks ?? Buffer.alloc(0)), sha256);
            for (const one of entries) tree.add(accountLeaf(one, sha256));
            map.set(key, mapValue(tree.size, tree.root()));
            const peaks = Buffer.concat(tree.edge);
            changed.push({ key, userId, count: tree.size, peaks, since: entry.index + 1 });
            yield;
          }
        })(this.map),
      );
    }
    return changed;
  }

  async #setAll(db: Queryable, rows: readonly AccountRow[], covered: number): Promise<void> {
    const states: [Buffer, AccountState][] = [];
    for (const row of rows) states.push([row.key, await stateAt(db, row, covered)]);
    await runInTimeSlices(
      (function* (map: AccountMap) {
        for (const [key, state] of states) {
          if (state.count > 0) map.set(key, valueOf(state));
          yield;
        }
      })(this.map),
    );
  }
}

const keyOf = (userId: string): Buffer => sha256(Buffer.from(userId, 'hex'));

/** By user id in hex; none for an index entry, a tree of version 1 and an attestation without a tree. */
async function entriesIn(db: Queryable, { index, data }: LogEntry) {
  const tree = readIndexData(data) === null ? decodeAttestationData(data) : null;
  if (tree?.treeVersion !== 2) return new Map<string, never>();
  const packed = await leavesAt(db, index);
  if (packed?.length !== 48 * tree.treeSize) throw new LeavesUnknown(index);
  return runInTimeSlices(entriesOfTree({ logIndex: index, kind: tree.kind, packed }, sha256));
}
