import { bytesToHex, decodeAttestationData, hexToBytes } from '@svc/protocol';
import { LogTree } from '@svc/protocol/conventions';
import * as tlog from '@svc/protocol/tlog';
import { type AttestedTree, treeName, type Trust } from '@svc/verifier';
import {
  compare,
  digestOf,
  isRecent,
  loadLogState,
  type LogFindings,
  type LogState,
  type OpenEntry,
  type Past,
  pastOf,
  recentWords,
  saveLogState,
} from './compare-log.ts';
import { sha256 } from './job.ts';
import { LogUnread, readCheckpoint, readEntries } from './log-tiles.ts';

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
  const now = await readCheckpoint(job.service, job.keys);
  if (now === null) {
    // A new service signs its first checkpoint once the first attestations are final.
    const isNew = [...job.trees.values()].every(({ time }) => isRecent(time, job.now));
    if (before !== null || !isNew) throw new LogUnread('the service has no checkpoint of it');
    const notes = job.trees.size > 0 ? [recentWords(job.trees.size)] : [];
    return { ...NOTHING, entries: 0, attested: 0, notes };
  }
  const broken = (fault: string): LogFindings => ({
    ...NOTHING,
    entries: now.size,
    faults: [fault],
    checkpoints: [...(kept === null ? [] : [kept.note]), now.note],
  });
  if (before !== null && now.size < before.size)
    return broken(`it has ${now.size} entries, and had ${before.size}: entries are missing`);
  const forked = `it is forked: its first ${before?.size} entries do not make the checkpoint that an earlier audit kept`;
  if (before !== null && now.size === before.size && !isSame(now.root, before.root)) return broken(forked);

  const { trees, fresh = false } = job;
  const subject = JSON.stringify(job.trust);
  const isReused =
    !fresh && kept?.subject === subject && digestOf(trees, kept.chain.count) === kept.chain.digest;
  const store = ({ size, edge }: LogTree, past: Past): void =>
    saveLogState(path, {
      subject,
      note: kept?.note ?? now.note,
      size,
      edge: edge.map(bytesToHex),
      ...past,
    });
  const tree = isReused ? resumed(kept.size ?? before!.size, kept) : null;
  let read = tree && (await readLog(job, now, { tree, past: kept, before, store }));
  if (read === null || !isSame(read.tree.root(), now.root)) {
    // A state that cannot be continued stays until the whole log is read, because it contains earlier reports.
    const whole = { tree: new LogTree(sha256), past: null, before, store: kept === null ? store : null };
    read = await readLog(job, now, whole);
    if (!isSame(read.tree.root(), now.root))
      return broken('its entries do not make the root that its checkpoint signs');
  }
  if (read.isForked) return broken(forked);
  const { open, late, ...findings } = compare(job, read.past, read.entries);
  saveLogState(path, {
    subject,
    note: now.note,
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
  return { ...findings, notes, entries: now.size, checkpoints: [now.note] };
}

export const logResult = (found: LogFindings | null): 'pass' | 'fail' | 'wait' =>
  found === null || found.faults.length + found.unproven.length === 0
    ? 'pass'
    : found.faults.length > 0
      ? 'fail'
      : 'wait';

const NOTHING = { attested: null, pending: 0, faults: [], unproven: [], notes: [], checkpoints: [] };

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

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
  past: Past | null;
  entries: OpenEntry[];
  isForked: boolean;
}

interface Reading extends Pick<ReadLog, 'tree' | 'past'> {
  before: tlog.Checkpoint | null;
  store: ((tree: LogTree, past: Past) => void) | null;
}

async function readLog(
  job: LogJob,
  { size }: tlog.Checkpoint,
  { tree, past, before, store }: Reading,
): Promise<ReadLog> {
  const read: ReadLog = { tree, past, entries: [], isForked: false };
  let kept = tree.size;
  for await (const data of readEntries(job.service, tree.size, size)) {
    const name = nameOf(data);
    if (name !== null) read.entries.push([tree.size, name, Infinity]);
    tree.add(tlog.entryHash(data));
    if (tree.size === before?.size) read.isForked = !isSame(tree.root(), before.root);
    if (read.isForked || tree.size - kept < Math.max(STEP, tree.size / 8)) continue;
    kept = tree.size;
    read.past = pastOf(job, read.past, read.entries);
    read.entries = [];
    store?.(tree, read.past);
  }
  return read;
}

/** Null for an entry that is no tree: its kind is reserved. */
function nameOf(data: Uint8Array): string | null {
  try {
    const { root, ...rest } = decodeAttestationData(data);
    return treeName({ ...rest, root: bytesToHex(root) });
  } catch {
    return null;
  }
}
