// Checks 1 to 5 of docs/protocol.md#418-the-index-of-accounts.
import { bytesToHex, compareBytes, decodeAttestationData, packedWidth, type Sha256 } from '@svc/protocol';
import {
  type AccountEntry,
  checkIndexAnswers,
  entriesOfTree,
  type IndexAnswer,
  IndexError,
  readIndexData,
  run,
} from '@svc/protocol/account-index';
import { foldLogProof } from '@svc/protocol/conventions';
import * as tlog from '@svc/protocol/tlog';
import { rebuildFault } from '../attested-trees.ts';
import { type IndexPage, readIndexPages } from './index-pages.ts';
import { type KeptIndex, keepIndex, noteOf, openKept, type OpenedIndex, originsOf } from './kept-index.ts';
import { type LogReader, LogUnread, readEntries, readLeaves, tileReader } from './log-reader.ts';

/** Limits of the entries and leaves behind the index. Plain `svc audit` reads any number of trees. */
const [MOST_TAIL_ENTRIES, MOST_TAIL_BYTES] = [10_000, 20_000_000];
/** Clocks differ; a cosignature of a later time does not count. */
const AHEAD_SECONDS = 60;

export interface IndexTrust {
  /** of the log of this service only (`keysOfLog`) */
  keys: readonly tlog.VerifierKey[];
  policy: tlog.Policy | null;
  /** the policy's names of witnesses that recompute the index */
  indexWitnesses: readonly string[];
}

/**
 * The trusted keys of the log of one service. A policy may name the logs of other services too: their checkpoints prove
 * nothing about this one.
 * @param pinned of this service: their names are the origins of its log
 * @param host of the service, which names its log if nothing is pinned; null: unknown
 * @example
 * keysOfLog([], parsePolicy(policy), 'other.example').length; // 0
 */
export function keysOfLog(
  pinned: readonly tlog.VerifierKey[],
  policy: tlog.Policy | null,
  host: string | null,
): tlog.VerifierKey[] {
  const origins = new Set(pinned.map(({ name }) => name));
  if (origins.size === 0 && host !== null) origins.add(`${host}/log`);
  const named = (policy?.logs ?? []).map(({ key }) => key);
  return [...pinned, ...named.filter(({ name }) => origins.has(name))];
}

export interface IndexJob extends IndexTrust {
  log: LogReader;
  userId: string;
  /** from an earlier audit */
  kept?: KeptIndex | null | undefined;
  /** reads all entries again, and compares them with the kept ones */
  fresh?: boolean;
  /** seconds since 1970 */
  now: number;
  /** a faster hash function than the protocol's */
  sha256?: Sha256;
}

export interface IndexReading {
  checkpoint: tlog.Checkpoint;
  covered: number;
  /** all of the account, with those of the tail */
  entries: AccountEntry[];
  /** number of entries that an earlier audit kept */
  earlier: number;
  /** number of entries that this audit read */
  read: number;
  /** of the tail */
  tailTrees: number;
  /** the witnesses that recompute the index and cosigned the checkpoint */
  recomputedBy: string[];
  /** when the quorum had cosigned, or with `quorum none` a witness of `recomputedBy`: seconds since 1970; null: neither */
  cosignedAt: number | null;
  /** for the next audit */
  kept: KeptIndex;
  pages: IndexPage[];
  unproven: string[];
  notes: string[];
}

/** The index contradicts itself, its log, or an earlier audit. */
export class IndexFault extends Error {
  override name = 'IndexFault';
  /** signed notes, as evidence */
  readonly checkpoints: string[];
  constructor(message: string, checkpoints: string[]) {
    super(message);
    this.checkpoints = checkpoints;
  }
}

/** @throws {IndexFault} @throws {LogUnread} @throws {KeptMismatch} */
export async function readAccountIndex(job: IndexJob): Promise<IndexReading> {
  const { log, userId, sha256 } = job;
  const kept = openKept(job.kept ?? null, job);
  const from = job.fresh === true ? 0 : (kept?.entries.length ?? 0);
  const notes = [job.kept && kept === null ? UNSIGNED_WORDS : keptWords(kept)];
  let checkpoint: tlog.Checkpoint | null = null;
  const checkFirst = async (found: tlog.Checkpoint) => {
    checkpoint = found;
    await checkCheckpoint(job, found, kept);
  };
  try {
    const pages = await readIndexPages({ log, userId, from, checkFirst });
    const [{ checkpoint: now, index, from: begin }] = pages as [(typeof pages)[0]];
    const cosigned = checkPolicy(job, now);
    const checked = checkIndexAnswers(pages, { userId, checkpoint: now, kept: kept?.account }, sha256);
    const known = begin === 0 ? [] : kept!.entries;
    const entries = [...known, ...checked.entries];
    const tail = await readTail(job, now, checked.covered, index.logIndex);
    return {
      checkpoint: now,
      covered: checked.covered,
      entries: [...entries, ...tail.entries],
      earlier: kept?.entries.length ?? 0,
      read: checked.entries.length,
      tailTrees: tail.trees,
      ...cosigned,
      kept: keepIndex(userId, { checkpoint: now, account: checked, entries }),
      pages,
      notes,
    };
  } catch (error) {
    if (!(error instanceof IndexError) && !(error instanceof tlog.TlogError)) throw error;
    throw new IndexFault(
      error.message,
      [kept?.checkpoint, checkpoint].flatMap((one) => (one ? [noteOf(one)] : [])),
    );
  }
}

const UNSIGNED_WORDS =
  'no key of the log that you trust signed the checkpoint that an earlier audit kept: it was not compared, and the checkpoint of today replaces it';

const keptWords = (kept: OpenedIndex | null): string =>
  kept === null
    ? 'this is the first audit of the account by index: the next one compares the index with its checkpoint of today'
    : `the log continues the checkpoint of size ${kept.checkpoint.size} that an earlier audit kept`;

export const keysOf = ({ origin }: Pick<tlog.Checkpoint, 'origin'>, keys: IndexTrust['keys']) =>
  keys.filter(({ name }) => name === origin);

/** @throws {LogUnread} */
function checkSigned(now: tlog.Checkpoint, keys: IndexTrust['keys']): void {
  const own = keysOf(now, keys);
  if (tlog.isSignedBy(now, own)) return;
  throw new LogUnread(
    own.length > 0 || keys.length === 0
      ? 'the pinned key of the log did not sign its checkpoint: compare it with log.keys of /.well-known/svc.json'
      : `the checkpoint is of the log ${now.origin}, not of ${originsOf(keys)}: a policy counts only for the log of the service; pin its log with svc trust`,
  );
}

/** @throws {IndexError} */
async function checkCheckpoint(
  { log, keys }: IndexJob,
  now: tlog.Checkpoint,
  kept: OpenedIndex | null,
): Promise<void> {
  if (kept === null) return checkSigned(now, keys);
  const { checkpoint: before } = kept;
  checkSigned(now, keysOf(before, keys));
  if (now.size < before.size)
    throw new IndexError(
      `its checkpoint has ${now.size} entries, and an earlier audit kept one with ${before.size}: it is older, or entries are missing; audit again, and keep both signed checkpoints if the fault stays`,
    );
  const proof = await tlog.proveConsistency(before.size, now.size, tileReader(log, now.size));
  if (!tlog.isConsistent(before, now, proof))
    throw new IndexError(
      `the log is forked: its first ${before.size} entries do not make the checkpoint that an earlier audit kept; keep both signed checkpoints`,
    );
}

export interface SavedTrust extends IndexTrust {
  /** seconds since 1970 */
  now: number;
  sha256?: Sha256;
}

/** Proven by the index pages of a file. */
export type SavedIndex = Omit<IndexReading, 'earlier' | 'kept' | 'pages' | 'notes' | 'read' | 'tailTrees'>;

/**
 * All pages of one reading, from a file.
 * @throws {IndexError} @throws {tlog.TlogError} when they prove nothing
 * @throws {LogUnread} when none of the keys signed the checkpoint
 * @example
 * const trust = { keys: [parseVerifierKey(logKey)], policy: null, indexWitnesses: [], now: 2e9 };
 * checkSavedIndex([parseIndexAnswer(answer)], answer.user_id, trust).entries.length; // 13
 */
export function checkSavedIndex(
  pages: readonly IndexAnswer[],
  userId: string,
  { keys, sha256, ...trust }: SavedTrust,
): SavedIndex {
  const checkpoint = pages[0]?.checkpoint;
  if (checkpoint === undefined) throw new IndexError('index has no answer');
  checkSigned(checkpoint, keys);
  const { covered, entries } = checkIndexAnswers(pages, { userId, checkpoint }, sha256);
  return { checkpoint, covered, entries, ...checkPolicy(trust, checkpoint) };
}

/** For a file, which has no tail: it shows only the log below the index entry. */
export function checkIndexFile(...[pages, userId, trust]: Parameters<typeof checkSavedIndex>): SavedIndex {
  const index = checkSavedIndex(pages, userId, trust);
  const tail = tailWords(pages[0]!);
  return tail === null ? index : { ...index, unproven: [...index.unproven, tail] };
}

/**
 * Null: the index entry is the last one of the log, and covers all before it.
 * @example
 * tailWords(parseIndexAnswer(answer)) === null; // false
 */
export function tailWords({ checkpoint: { size }, index }: IndexAnswer): string | null {
  const covered = readIndexData(index.data)?.covered ?? 0;
  return covered === size - 1
    ? null
    : `the index covers ${covered} of the ${size} entries of the log, and a saved file shows nothing about the later ones: save a file later, or run svc audit --index, which reads them`;
}

/** Until when the index has what the log had; null: no named witness says so. */
export const upToOf = ({ cosignedAt }: Pick<IndexReading, 'cosignedAt'>): string | null =>
  cosignedAt === null ? null : new Date(cosignedAt * 1000).toISOString();

/** @throws {tlog.TlogError} on a wrong cosignature */
function checkPolicy(
  { policy, indexWitnesses, now }: Pick<IndexJob, 'policy' | 'indexWitnesses' | 'now'>,
  checkpoint: tlog.Checkpoint,
): Pick<IndexReading, 'recomputedBy' | 'cosignedAt' | 'unproven'> {
  if (policy === null) return { recomputedBy: [], cosignedAt: null, unproven: [] };
  const times = tlog.cosignaturesOf(checkpoint, policy, now + AHEAD_SECONDS);
  const unproven: string[] = [];
  const time = tlog.quorumTime(policy, times);
  if (time === null)
    unproven.push(
      `the quorum of your policy has not cosigned the checkpoint (cosigned by: ${[...times.keys()].join(', ') || 'no witness'}); audit again later`,
    );
  const recomputedBy = indexWitnesses.filter((name) => times.has(name));
  if (indexWitnesses.length > 0 && recomputedBy.length === 0)
    unproven.push(
      `${indexWitnesses.join(', ')} recomputes the index and has not cosigned the checkpoint; audit again later`,
    );
  const named = recomputedBy.map((name) => times.get(name)!);
  const cosignedAt = time === 0 ? (named.length > 0 ? Math.max(...named) : null) : time;
  return { recomputedBy, cosignedAt, unproven };
}

/**
 * @throws {IndexError} when entries or leaves are not those of the log
 * @throws {LogUnread} also when the tail has too much to read
 */
async function readTail(
  { log, userId, sha256 }: IndexJob,
  { size, root }: tlog.Checkpoint,
  covered: number,
  indexAt: number,
): Promise<{ trees: number; entries: AccountEntry[] }> {
  const isOnlyIndex = covered === indexAt && size === indexAt + 1;
  if (isOnlyIndex) return { trees: 0, entries: [] };
  const needFew = (isFew: boolean) => {
    if (isFew) return;
    throw new LogUnread(
      `the index covers ${covered} of the ${size} entries of the log, and the entries after it are more than ${MOST_TAIL_ENTRIES} or have more than ${MOST_TAIL_BYTES / 1e6} MB of leaves: audit without --index, which reads all leaves`,
    );
  };
  needFew(size - covered <= MOST_TAIL_ENTRIES);
  const trees: { logIndex: number; tree: NonNullable<ReturnType<typeof treeOf>> }[] = [];
  const read = tileReader(log, size);
  const account = userId.replaceAll('-', '');
  let at = covered;
  for await (const data of readEntries(log, covered, size)) {
    const logIndex = at++;
    const proof = await tlog.proveInclusion(logIndex, size, read);
    const folded = foldLogProof(tlog.entryHash(data), logIndex, size, proof);
    if (folded === null || compareBytes(folded, root) !== 0)
      throw new IndexError(`the entry ${logIndex} of the log does not lead to the root of the checkpoint`);
    const tree = treeOf(data);
    if (tree?.treeVersion === 2) trees.push({ logIndex, tree });
  }
  const leaves = trees.reduce((sum, { tree }) => sum + tree.treeSize, 0);
  needFew(leaves * packedWidth(2) <= MOST_TAIL_BYTES);
  const entries: AccountEntry[] = [];
  for (const { logIndex, tree } of trees) {
    const packed = await readTree(log, logIndex, tree, sha256);
    const found = run(entriesOfTree({ logIndex, kind: tree.kind, packed }, sha256)).get(account);
    entries.push(...(found ?? []));
  }
  return { trees: trees.length, entries };
}

/**
 * The packed leaves of a tree of version 2, which make its root.
 * @throws {LogUnread} when the service does not have them
 * @throws {IndexError} when they make another root
 * @example
 * const tree = { root: '00', kind: 0, treeVersion: 2, treeSize: 1 };
 * await readTree(emptyLog, 0, tree).catch(({ name }) => name); // 'LogUnread'
 */
export async function readTree(
  log: LogReader,
  logIndex: number,
  tree: Parameters<typeof rebuildFault>[0],
  sha256?: Sha256,
): Promise<Uint8Array> {
  const packed = await readLeaves(log, logIndex);
  if (packed === null)
    throw new LogUnread(`the service does not have the leaves of the tree at the log index ${logIndex}`);
  const fault = rebuildFault(tree, packed, sha256);
  if (fault === null) return packed;
  throw new IndexError(`the tree at the log index ${logIndex}: ${fault}`);
}

/**
 * The tree that an entry of the log names; null for an index entry, or one of a reserved kind.
 * @example
 * treeOf(new Uint8Array(0)); // null
 */
export function treeOf(data: Uint8Array) {
  try {
    const { root, ...rest } = decodeAttestationData(data);
    return { ...rest, root: bytesToHex(root) };
  } catch {
    return null;
  }
}
