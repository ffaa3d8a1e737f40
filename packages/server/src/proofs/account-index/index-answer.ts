// Answers `GET /log/index/<user id>` from the standby or the primary, all parts from one checkpoint.
import { bytesToHex } from '@svc/protocol';
import {
  ACCOUNT_ENTRY_LENGTH,
  accountKey,
  MAX_ACCOUNT_ENTRIES,
  readIndexData,
} from '@svc/protocol/account-index';
import { proveInclusion } from '@svc/protocol/tlog';
import { type Db, DatabaseUnavailable, type Queryable } from '../../db/db.ts';
import { Failure, Unavailable } from '../../platform/failure.ts';
import { sha256 } from '../../platform/secrets/signing-key.ts';
import { servedCheckpoint, type StoredCheckpoint } from '../log/checkpoints.ts';
import { subtreesOf } from '../log/entries.ts';
import { entriesOf, findAccounts, indexEnd, lastIndexEntry } from './index-store.ts';
import { type AccountState, stateAt, stateOfEntries, valueOf } from './live-map.ts';
import type { ReadMaps } from './read-maps.ts';

export interface IndexSources {
  db: Db;
  /** used while it has the newest checkpoint */
  standby: { db: Db; status(): { problem?: string } } | undefined;
  origin: string;
  maps: ReadMaps;
}

interface IndexAnswer {
  checkpoint: string;
  count: number;
  from: number;
  entries: string[];
  more: boolean;
  [field: string]: unknown;
}

/** docs/protocol.md#418-the-index-of-accounts @throws Failure */
export async function answerIndex(sources: IndexSources, userId: string, from: number): Promise<IndexAnswer> {
  for (let tries = 3; tries > 0; tries--) {
    const checkpoint = await servedCheckpoint(sources.db, sources.origin);
    if (checkpoint === null) throw new Failure('not_found', 'the log has no checkpoint yet');
    const answer = await onStandby(sources, checkpoint, userId, from);
    const found = answer ?? (await answerFrom(sources.db, sources.maps, checkpoint, userId, from));
    if (found !== undefined) return found;
  }
  throw growing();
}

const growing = () => new Unavailable('the log grows too fast for an answer', 5);

/** All answers for an account, of one checkpoint, for a file of at most this many entries. @throws Failure */
export async function answerWholeIndex(
  sources: IndexSources,
  userId: string,
  mostEntries: number,
): Promise<IndexAnswer[]> {
  const textOf = ({ checkpoint }: IndexAnswer) => checkpoint.split('\n\n', 1)[0];
  for (let tries = 3; tries > 0; tries--) {
    const pages = [await answerIndex(sources, userId, 0)];
    const [{ count }] = pages as [IndexAnswer];
    if (count > mostEntries)
      throw new Failure(
        'unprocessable',
        `the author has ${count} entries in the index of accounts, too many for a receipt (${mostEntries}): use svc record --out`,
      );
    for (let last = pages[0]!; last.more; pages.push(last))
      last = await answerIndex(sources, userId, last.from + last.entries.length);
    if (pages.every((page) => textOf(page) === textOf(pages[0]!))) return pages;
  }
  throw growing();
}

async function onStandby(
  { standby, origin, maps }: IndexSources,
  checkpoint: StoredCheckpoint,
  userId: string,
  from: number,
): Promise<IndexAnswer | undefined> {
  if (standby === undefined || standby.status().problem !== undefined) return undefined;
  try {
    const copied = await servedCheckpoint(standby.db, origin);
    if (copied?.size !== checkpoint.size) return undefined;
    return await answerFrom(standby.db, maps, checkpoint, userId, from);
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return undefined;
    throw error;
  }
}

/** Undefined when the log grew during the read. */
async function answerFrom(
  db: Queryable,
  maps: ReadMaps,
  { size, note }: StoredCheckpoint,
  userId: string,
  from: number,
): Promise<IndexAnswer | undefined> {
  // If the index ended, its last entry before the end still proves the accounts.
  const entry = await lastIndexEntry(db, Math.min(size, (await indexEnd(db)) ?? size));
  if (entry === undefined)
    throw new Failure('not_found', 'the log has no index of accounts yet: it gets one with its next tree');
  const { root } = readIndexData(entry.data)!;
  const key = accountKey(userId, sha256);
  const covered = entry.index + 1;
  const found = await maps.readAt(db, { covered, root }, (map) => map.path(key));
  if (found === undefined) return undefined;
  const entries = await entriesOf(db, userId, covered);
  const count = entries.length / ACCOUNT_ENTRY_LENGTH;
  if (from > count)
    throw new Failure('bad_request', `from is beyond the end: the account has ${count} entries`, [
      { path: 'from', message: `at most ${count}` },
    ]);
  const isPresent = found.key !== null && Buffer.from(key).equals(found.key);
  if (isPresent !== count > 0) throw new Error('an account of the index has other entries than its leaf');
  const [row] = found.key === null ? [] : await findAccounts(db, [found.key]);
  const leaf = row && (await stateAt(db, row, covered));
  const value = leaf && valueOf(leaf);
  const page = entries.subarray(
    from * ACCOUNT_ENTRY_LENGTH,
    (from + MAX_ACCOUNT_ENTRIES) * ACCOUNT_ENTRY_LENGTH,
  );
  return {
    user_id: userId,
    checkpoint: note,
    index: {
      log_index: entry.index,
      data: entry.data.toString('hex'),
      proof: (await proveInclusion(entry.index, size, subtreesOf(db))).map(bytesToHex),
    },
    count,
    account_root: isPresent ? bytesToHex(value!.subarray(8)) : null,
    path: found.path.map(({ bit, hash }) => ({ bit, hash: bytesToHex(hash) })),
    other: isPresent || found.key === null ? null : { key: bytesToHex(found.key), value: bytesToHex(value!) },
    from,
    before: (await peaksBefore(entries, from, leaf)).map(bytesToHex),
    entries: page.toString('hex').match(new RegExp(`.{${2 * ACCOUNT_ENTRY_LENGTH}}`, 'g')) ?? [],
    more: from + MAX_ACCOUNT_ENTRIES < count,
  };
}

async function peaksBefore(
  entries: Uint8Array,
  from: number,
  whole: AccountState | undefined,
): Promise<readonly Uint8Array[]> {
  if (from === 0) return [];
  if (from === whole?.count) return whole.peaks;
  return (await stateOfEntries(entries, from)).peaks;
}
