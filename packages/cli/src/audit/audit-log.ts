import { bytesToHex, hexToBytes } from '@svc/protocol';
import { LogTree } from '@svc/protocol/conventions';
import * as tlog from '@svc/protocol/tlog';
import { type AttestedTree, treeName, type Trust } from '@svc/verifier';
import { logReader, LogUnread, readCheckpoint, readEntries, treeOf } from '@svc/verifier/account-index';
import {
  compare,
  digestOf,
  isRecent,
  loadLogState,
  type LogFindings,
  type LogState,
  type OpenEntry,
  type EarlierLog,
  earlierLogOf,
  recentWords,
  saveLogState,
} from './compare-log.ts';
import { sha256 } from './job.ts';

/** More in a long log, because each write costs as much as the chain has trees. */
const STEP = 16 * tlog.TILE_WIDTH;

interface LogJob {
  service: string;
  keys: readonly tlog.VerifierKey[];
  trust: Trust;
  trees: ReadonlyMap<string, AttestedTree>;
  fresh?: boolean;
  /** seconds since 1970 */
  now: number;
}

export async function auditKeptLog(path: string, job: LogJob): Promise<LogFindings> {
  try {
    return await auditLog(path, job);
  } catch (error) {
    if (error instanceof LogUnread) return { ...NOTHING, entries: 0, unproven: [error.message] };
    throw error;
  }
}

/**
 * Compares the log of trees with the chain and with its earlier checkpoint (docs/audit.md#the-log-of-trees). Stores
 * the progress too, which counts only once all entries make the root of a signed checkpoint.
 */
async function auditLog(path: string, job: LogJob): Promise<LogFindings> {
  const kept = loadLogState(path, job.keys);
  const before = kept === null ? null : tlog.parseCheckpoint(kept.note);
  const checkpoint = await readCheckpoint(logReader(`${job.service}/log`), job.keys);
  if (checkpoint === null) return auditUnsigned(job, before !== null);
  const read =
    contradiction(checkpoint, before) ?? (await readSigned(path, job, { kept, before, checkpoint }));
  if (typeof read === 'string')
    return {
      ...NOTHING,
      entries: checkpoint.size,
      faults: [read],
      checkpoints: [...(kept === null ? [] : [kept.note]), checkpoint.note],
    };
  const { open, late, ...findings } = compare(job, read.past, read.entries);
  const { trees } = job;
  saveLogState(path, {
    subject: subjectOf(job),
    note: checkpoint.note,
    edge: read.tree.edge.map(bytesToHex),
    chain: { count: trees.size, digest: digestOf(trees, trees.size)! },
    open,
    late,
  });
  const notes = [
    before === null
      ? 'this is the first audit of the log: the next one compares the log with its checkpoint of today'
      : `the log continues the checkpoint of size ${before.size} that an earlier audit kept`,
    ...findings.notes,
  ];
  return { ...findings, notes, entries: checkpoint.size, checkpoints: [checkpoint.note] };
}

/** A new service signs its first checkpoint once the first attestations are final. */
function auditUnsigned({ trees, now }: LogJob, hadCheckpoint: boolean): LogFindings {
  const isNew = [...trees.values()].every(({ time }) => isRecent(time, now));
  if (hadCheckpoint || !isNew) throw new LogUnread('the service has no checkpoint of it');
  return { ...NOTHING, entries: 0, attested: 0, notes: trees.size > 0 ? [recentWords(trees.size)] : [] };
}

/** The contradiction between two checkpoints that needs no entry; null: none. */
function contradiction({ size, root }: tlog.Checkpoint, before: tlog.Checkpoint | null): string | null {
  if (before === null || size > before.size) return null;
  if (size < before.size) return `it has ${size} entries, and had ${before.size}: entries are missing`;
  return isSame(root, before.root) ? null : forkedWords(before);
}

const forkedWords = ({ size }: tlog.Checkpoint): string =>
  `it is forked: its first ${size} entries do not make the checkpoint that an earlier audit kept`;

const subjectOf = ({ trust }: LogJob): string => JSON.stringify(trust);

export const logResult = (found: LogFindings | null): 'pass' | 'fail' | 'wait' =>
  found === null || found.faults.length + found.unproven.length === 0
    ? 'pass'
    : found.faults.length > 0
      ? 'fail'
      : 'wait';

const NOTHING = { attested: null, pending: 0, faults: [], unproven: [], notes: [], checkpoints: [] };

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

interface SignedLog {
  kept: LogState | null;
  before: tlog.Checkpoint | null;
  checkpoint: tlog.Checkpoint & { note: string };
}

/** Continues an earlier audit if its progress fits. @returns why the entries contradict a checkpoint, as a text */
async function readSigned(
  path: string,
  job: LogJob,
  { kept, before, checkpoint }: SignedLog,
): Promise<ReadLog | string> {
  const store = ({ size, edge }: LogTree, past: EarlierLog): void =>
    saveLogState(path, {
      subject: subjectOf(job),
      note: kept?.note ?? checkpoint.note,
      size,
      edge: edge.map(bytesToHex),
      ...past,
    });
  const tree = isContinued(job, kept) ? resumed(kept.size ?? before!.size, kept) : null;
  const continued = tree && (await readLog(job, checkpoint, { tree, past: kept, before, store }));
  if (continued !== null && isSame(continued.tree.root(), checkpoint.root))
    return continued.isForked ? forkedWords(before!) : continued;
  // A state that cannot be continued stays until the whole log is read, because it contains earlier reports.
  const whole = { tree: new LogTree(sha256), past: null, before, store: kept === null ? store : null };
  const read = await readLog(job, checkpoint, whole);
  if (!isSame(read.tree.root(), checkpoint.root))
    return 'its entries do not make the root that its checkpoint signs';
  return read.isForked ? forkedWords(before!) : read;
}

const isContinued = (job: LogJob, kept: LogState | null): kept is LogState =>
  job.fresh !== true &&
  kept?.subject === subjectOf(job) &&
  digestOf(job.trees, kept.chain.count) === kept.chain.digest;

/** Null when the hashes do not fit. */
function resumed(size: number, { edge }: LogState): LogTree | null {
  try {
    return LogTree.resume(size, edge.map(hexToBytes), sha256);
  } catch {
    return null;
  }
}

interface ReadLog {
  tree: LogTree;
  past: EarlierLog | null;
  entries: OpenEntry[];
  isForked: boolean;
}

interface Reading extends Pick<ReadLog, 'tree' | 'past'> {
  before: tlog.Checkpoint | null;
  store: ((tree: LogTree, past: EarlierLog) => void) | null;
}

async function readLog(
  job: LogJob,
  { size }: tlog.Checkpoint,
  { tree, past, before, store }: Reading,
): Promise<ReadLog> {
  const read: ReadLog = { tree, past, entries: [], isForked: false };
  let kept = tree.size;
  for await (const data of readEntries(logReader(`${job.service}/log`), tree.size, size)) {
    const named = treeOf(data);
    if (named !== null) read.entries.push([tree.size, treeName(named), Infinity]);
    tree.add(tlog.entryHash(data));
    if (tree.size === before?.size) read.isForked = !isSame(tree.root(), before.root);
    if (read.isForked || tree.size - kept < Math.max(STEP, tree.size / 8)) continue;
    kept = tree.size;
    read.past = earlierLogOf(job, read.past, read.entries);
    read.entries = [];
    store?.(tree, read.past);
  }
  return read;
}
