import { createHash, hash } from 'node:crypto';
import type { AttestedTree } from '@svc/verifier';
import { isSignedBy, parseCheckpoint, type VerifierKey } from '@svc/protocol/tlog';
import { readPrivate, writePrivate } from '../config-folder.ts';
import { when } from '../context.ts';
import { usageError } from '../exit.ts';

/** The tree is not attested; `seen`: in the log by then (seconds), 0 once reported. */
export type OpenEntry = [index: number, name: string, seen: number];

export interface LogState {
  subject: string;
  /** the last checkpoint whose entries were all read; during a first audit, the checkpoint at its start */
  note: string;
  /** entries that an interrupted audit had read; absent: those of the checkpoint */
  size?: number;
  edge: string[];
  /** the attested trees that were compared, in the order of the chain */
  chain: { count: number; digest: string };
  open: OpenEntry[];
  late: string[];
}

const FORMAT = 'svc-audit-log:v1';

const fileOf = (state: LogState) => ({
  format: FORMAT,
  sha256: hash('sha256', JSON.stringify(state)),
  state,
});

export const saveLogState = (path: string, state: LogState): void =>
  writePrivate(path, `${JSON.stringify(fileOf(state))}\n`);

/** Null when none of the pinned keys signed its checkpoint. */
export function loadLogState(path: string, keys: readonly VerifierKey[]): LogState | null {
  const file = readPrivate(path) as Partial<ReturnType<typeof fileOf>> | undefined;
  if (file === undefined) return null;
  const { state } = file;
  if (state === undefined || JSON.stringify(file) !== JSON.stringify(fileOf(state)))
    throw usageError(
      `${path} does not hold the checkpoint of an audit, or is damaged; without it no audit can compare the log with its past: restore it, or delete it`,
    );
  const checkpoint = parseCheckpoint(state.note);
  const own = keys.filter(({ name }) => name === checkpoint.origin);
  return isSignedBy(checkpoint, own) ? state : null;
}

const [HOUR, DAY] = [3_600, 86_400];
const NAMED = 100;

export interface LogFindings {
  entries: number;
  /** attested trees that the log has; null: not compared */
  attested: number | null;
  pending: number;
  faults: string[];
  unproven: string[];
  notes: string[];
  /** signed; two that contradict each other prove a fork */
  checkpoints: string[];
}

interface Compared {
  trees: ReadonlyMap<string, AttestedTree>;
  now: number;
}

export type EarlierLog = Pick<LogState, 'chain' | 'open' | 'late'>;

export function compare(
  { trees, now }: Compared,
  past: EarlierLog | null,
  entries: OpenEntry[],
): Omit<LogFindings, 'entries' | 'checkpoints'> & Pick<LogState, 'open' | 'late'> {
  const { unfound, open } = unmatched({ trees, now }, past, entries);
  const missing = unfound.filter(({ tree, isPassed }) => isPassed || tree.time + DAY < now);
  const late = unfound.filter((one) => !missing.includes(one));
  // A service without witnesses signs a checkpoint once the attestations are final.
  const waiting = late.filter(({ tree }) => !isRecent(tree.time, now));
  const recent = late.length - waiting.length;
  const overdue = open.filter(([, , seen]) => seen > 0 && endOfPromise(seen) < now);
  const reported = open.filter(([, , seen]) => seen === 0).length;
  const pending = open.length - overdue.length - reported;
  return {
    attested: trees.size - unfound.length,
    pending,
    faults: [
      ...named(missing, ({ tree }) => `it does not have the tree ${tree.root}, which is attested`),
      ...named(overdue, ([index, name]) => {
        const [, root] = name.split(':');
        return `its entry ${index}, the tree ${root}, was not attested within its promise`;
      }),
    ],
    unproven: named(waiting, ({ tree }) => `its checkpoint does not have the attested tree ${tree.root} yet`),
    notes: [
      ...when(recent > 0, recentWords(recent)),
      ...when(pending > 0, `logged trees that are not attested yet, within their promise: ${pending}`),
      ...when(
        reported > 0,
        `logged trees that were never attested, as an earlier audit reported: ${reported}`,
      ),
    ],
    open: open.map((entry) => (overdue.includes(entry) ? [entry[0], entry[1], 0] : entry)),
    late: unfound.map(({ name }) => name),
  };
}

export const isRecent = (time: number, now: number): boolean => time + HOUR >= now;

export const recentWords = (trees: number): string =>
  `attested trees of the last hour that its checkpoint does not have yet: ${trees}`;

function named<T>(all: readonly T[], words: (one: T) => string): string[] {
  const more = all.length - NAMED;
  return [...all.slice(0, NAMED).map(words), ...when(more > 0, `and ${more} more like that`)];
}

/**
 * The attested trees that the log lacks, and the entries that are not attested. `isPassed`: the log has a tree that
 * was attested later, though a log has trees in the order of sending.
 */
function unmatched({ trees, now }: Compared, past: EarlierLog | null, entries: readonly OpenEntry[]) {
  const logged = [...(past?.open ?? []), ...entries];
  const names = new Set(logged.map(([, name]) => name));
  const [count, late] = [past?.chain.count ?? 0, new Set(past?.late)];
  const unfound: { name: string; tree: AttestedTree; at: number }[] = [];
  let [at, last] = [0, -1];
  for (const [name, tree] of trees) {
    if ((at < count && !late.has(name)) || names.has(name)) last = at;
    else unfound.push({ name, tree, at });
    at++;
  }
  const open: OpenEntry[] = [];
  // An entry is older than the attestation of a later one, so that time bounds it.
  let seen = now;
  for (const [index, name, since] of logged.toReversed()) {
    const tree = trees.get(name);
    if (tree === undefined) open.push([index, name, Math.min(since, seen)]);
    else seen = Math.min(seen, tree.time);
  }
  return {
    unfound: unfound.map(({ at: place, ...one }) => ({ ...one, isPassed: place < last })),
    open: open.toReversed(),
  };
}

/** Two days after the day, in UTC, as of an etch (docs/protocol.md#410-promises). */
const endOfPromise = (seen: number): number => (Math.floor(seen / DAY) + 3) * DAY;

export function earlierLogOf(compared: Compared, past: EarlierLog | null, entries: OpenEntry[]): EarlierLog {
  const { unfound, open } = unmatched(compared, past, entries);
  const passed = unfound.filter(({ isPassed }) => isPassed);
  const count = compared.trees.size - unfound.length + passed.length;
  const chain = { count, digest: digestOf(compared.trees, count)! };
  return { chain, open, late: passed.map(({ name }) => name) };
}

export function digestOf(trees: ReadonlyMap<string, AttestedTree>, count: number): string | undefined {
  if (trees.size < count) return undefined;
  const hash = createHash('sha256');
  let left = count;
  for (const name of trees.keys()) if (left-- > 0) hash.update(`${name}\n`);
  return hash.digest('hex');
}
