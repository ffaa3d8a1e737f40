import { createHash } from 'node:crypto';
import { bytesToHex, decodeAttestationData, hexToBytes } from '@svc/protocol';
import { LogTree } from '@svc/protocol/conventions';
import { type Checkpoint, entryHash, parseCheckpoint, type VerifierKey } from '@svc/protocol/tlog';
import { type AttestedTree, treeName, type Trust } from '@svc/verifier';
import { LogUnread, readCheckpoint, readEntries } from './log-source.ts';
import { loadLogState, type LogState, type OpenEntry, saveLogState } from './log-state.ts';
import { sha256 } from './native-hash.ts';

const [HOUR, DAY] = [3_600, 86_400];
/** Most faults and waits that are listed. */
const NAMED = 100;

export interface LogJob {
  /** the origin of the service */
  service: string;
  /** pinned */
  keys: readonly VerifierKey[];
  /** results under other trust are not reused */
  trust: Trust;
  /** attested, in the order of the chain, read before the log */
  trees: ReadonlyMap<string, AttestedTree>;
  /** read every entry again */
  fresh?: boolean;
  /** seconds since 1970 */
  now: number;
}

export interface LogFindings {
  entries: number;
  /** attested trees that the log has; null: not compared */
  attested: number | null;
  /** logged, not attested yet */
  pending: number;
  /** FAIL */
  faults: string[];
  /** WAIT */
  unproven: string[];
  /** INFO */
  notes: string[];
  /** signed; two that contradict each other prove a fork */
  checkpoints: string[];
}

/**
 * Compares the log of trees with the chain and with its earlier checkpoint (docs/audit.md#the-log-of-trees).
 * @returns what to keep for the next audit; null: nothing new
 * @throws {LogUnread}
 */
async function auditLog(
  job: LogJob,
  kept: LogState | null,
): Promise<{ findings: LogFindings; next: LogState | null }> {
  const before = kept === null ? null : parseCheckpoint(kept.note);
  const now = await readCheckpoint(job.service, job.keys);
  if (now === null) {
    // A new service signs its first checkpoint once the first attestations are final.
    const isNew = [...job.trees.values()].every(({ time }) => time + HOUR >= job.now);
    if (before !== null || !isNew) throw new LogUnread('the service has no checkpoint of it');
    const notes = job.trees.size > 0 ? [recentWords(job.trees.size)] : [];
    return { findings: { ...NOTHING, entries: 0, attested: 0, notes }, next: null };
  }
  const broken = (fault: string) => ({
    findings: {
      ...{ ...NOTHING, entries: now.size, faults: [fault] },
      checkpoints: [...(kept === null ? [] : [kept.note]), now.note],
    },
    next: null,
  });
  if (before !== null && now.size < before.size)
    return broken(`it has ${now.size} entries, and had ${before.size}: entries are missing`);
  const forked = `it is forked: its first ${before?.size} entries are not those that an earlier audit saw`;
  if (before !== null && now.size === before.size && !isSame(now.root, before.root)) return broken(forked);

  const { trees, fresh = false } = job;
  const subject = JSON.stringify(job.trust);
  let reused = kept;
  if (fresh || kept?.subject !== subject || digestOf(trees, kept.chain.count) !== kept.chain.digest)
    reused = null;
  const tree = reused && resumed(before!, reused);
  let read = tree && (await readLog(job.service, now, tree));
  if (read === null || !isSame(read.tree.root(), now.root)) {
    reused = null;
    read = await readLog(job.service, now, new LogTree(sha256), before?.size);
    if (!isSame(read.tree.root(), now.root))
      return broken('its entries do not make the root that its checkpoint signs');
    if (before !== null && !isSame(read.prefix!, before.root)) return broken(forked);
  }
  const { open, late, ...findings } = compare(job, reused, read.entries);
  const next: LogState = {
    ...{ subject, note: now.note, edge: read.tree.edge.map(bytesToHex) },
    chain: { count: trees.size, digest: digestOf(trees, trees.size)! },
    ...{ open, late },
  };
  return { findings: { ...findings, entries: now.size, checkpoints: [now.note] }, next };
}

/** With the state in a file; a log that cannot be read is unproven. */
export async function auditKeptLog(path: string, job: LogJob): Promise<LogFindings> {
  try {
    const { findings, next } = await auditLog(job, loadLogState(path, job.keys));
    if (next !== null) saveLogState(path, next);
    return findings;
  } catch (error) {
    if (error instanceof LogUnread) return { ...NOTHING, entries: 0, unproven: [error.message] };
    throw error;
  }
}

export const logResult = (found: LogFindings | null): 'pass' | 'fail' | 'wait' =>
  found === null || found.faults.length + found.unproven.length === 0
    ? 'pass'
    : found.faults.length > 0
      ? 'fail'
      : 'wait';

const NOTHING = { attested: null, pending: 0, faults: [], unproven: [], notes: [], checkpoints: [] };

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0;

/** Null when they do not fit: everything is read again. */
function resumed({ size }: Checkpoint, { edge }: LogState): LogTree | null {
  try {
    return LogTree.resume(size, edge.map(hexToBytes), sha256);
  } catch {
    return null;
  }
}

/** Undefined when the chain has fewer trees. */
function digestOf(trees: ReadonlyMap<string, AttestedTree>, count: number): string | undefined {
  if (trees.size < count) return undefined;
  const hash = createHash('sha256');
  let left = count;
  for (const name of trees.keys()) if (left-- > 0) hash.update(`${name}\n`);
  return hash.digest('hex');
}

interface ReadLog {
  tree: LogTree;
  entries: OpenEntry[];
  /** the root at the size that was asked for */
  prefix: Uint8Array | null;
}

async function readLog(
  service: string,
  { size }: Checkpoint,
  tree: LogTree,
  prefixSize?: number,
): Promise<ReadLog> {
  const read: ReadLog = { tree, entries: [], prefix: null };
  for await (const data of readEntries(service, tree.size, size)) {
    const name = nameOf(data);
    if (name !== null) read.entries.push([tree.size, name, Infinity]);
    tree.add(entryHash(data));
    if (tree.size === prefixSize) read.prefix = tree.root();
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

function compare(
  { trees, now }: LogJob,
  reused: LogState | null,
  entries: OpenEntry[],
): Omit<LogFindings, 'entries' | 'checkpoints'> & Pick<LogState, 'open' | 'late'> {
  const logged = [...(reused?.open ?? []), ...entries];
  const unfound = findTrees(trees, reused, new Set(logged.map(([, name]) => name)));
  const missing = unfound.filter(({ tree, isPassed }) => isPassed || tree.time + DAY < now);
  const late = unfound.filter((one) => !missing.includes(one));
  // A service without witnesses signs a checkpoint once the attestations are final.
  const waiting = late.filter(({ tree }) => tree.time + HOUR < now);
  const recent = late.length - waiting.length;
  const open = openOf(logged, trees, now);
  const overdue = open.filter(([, , seen]) => seen > 0 && endOfPromise(seen) < now);
  const reported = open.filter(([, , seen]) => seen === 0).length;
  const pending = open.length - overdue.length - reported;
  return {
    ...{ attested: trees.size - unfound.length, pending },
    faults: [
      ...named(missing, ({ tree }) => `it does not have the tree ${tree.root}, which is attested`),
      ...named(
        overdue,
        ([index, name]) =>
          `its entry ${index}, the tree ${name.split(':')[1]}, was not attested within its promise`,
      ),
    ],
    unproven: named(waiting, ({ tree }) => `its checkpoint does not have the attested tree ${tree.root} yet`),
    notes: [
      ...(recent > 0 ? [recentWords(recent)] : []),
      ...(pending > 0 ? [`logged trees that are not attested yet, within their promise: ${pending}`] : []),
      ...(reported > 0
        ? [`logged trees that were never attested, as an earlier audit reported: ${reported}`]
        : []),
    ],
    open: open.map((entry) => (overdue.includes(entry) ? [entry[0], entry[1], 0] : entry)),
    late: unfound.map(({ name }) => name),
  };
}

const recentWords = (trees: number): string =>
  `attested trees of the last hour that its checkpoint does not have yet: ${trees}`;

function named<T>(all: readonly T[], words: (one: T) => string): string[] {
  const more = all.length - NAMED;
  return [...all.slice(0, NAMED).map(words), ...(more > 0 ? [`and ${more} more like that`] : [])];
}

/**
 * The attested trees that the log does not have. `isPassed`: it has one that was attested later, and a log has trees in the order in
 * which they were sent.
 */
function findTrees(
  trees: ReadonlyMap<string, AttestedTree>,
  reused: LogState | null,
  names: ReadonlySet<string>,
): { name: string; tree: AttestedTree; isPassed: boolean }[] {
  const [count, late] = [reused?.chain.count ?? 0, new Set(reused?.late)];
  const unfound: { name: string; tree: AttestedTree; at: number }[] = [];
  let [at, last] = [0, -1];
  for (const [name, tree] of trees) {
    if ((at < count && !late.has(name)) || names.has(name)) last = at;
    else unfound.push({ name, tree, at });
    at++;
  }
  return unfound.map(({ at: place, ...one }) => ({ ...one, isPassed: place < last }));
}

/** Logged, not attested, with the time by which each was in the log: an entry is older than the attestation of a later one. */
function openOf(
  logged: readonly OpenEntry[],
  trees: ReadonlyMap<string, AttestedTree>,
  now: number,
): OpenEntry[] {
  const open: OpenEntry[] = [];
  let seen = now;
  for (const [index, name, since] of logged.toReversed()) {
    const tree = trees.get(name);
    if (tree === undefined) open.push([index, name, Math.min(since, seen)]);
    else seen = Math.min(seen, tree.time);
  }
  return open.toReversed();
}

/** Two days after the day, in UTC, as of an etch (docs/protocol.md#410-promises). */
const endOfPromise = (seen: number): number => (Math.floor(seen / DAY) + 3) * DAY;
