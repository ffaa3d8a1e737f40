import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, StatementFailed } from '../../db/db.ts';
import type { Rate } from './rate-store.ts';
import {
  checkpoint,
  dropExtendedStatistics,
  dropSamples,
  isNotBefore,
  listExtendedStatistics,
  listHolders,
  listPresent,
  listSampled,
  readRelation,
  type Relation,
  rewrite,
  switchLog,
  takeNumber,
  writeMark,
} from './store.ts';
import { CATALOGUES, THEIR_COLUMNS } from './texts.ts';

/** What a table's rewriting would take. */
export interface Planned {
  table: string;
  bytes: number;
  /** for so long nobody else would read or write it, by the rate measured */
  lockMs: number;
  /** why it is left alone; undefined: it is rewritten */
  skipped?: string;
}

export interface Rewritten extends Planned {
  /** false: `problem` says why */
  done: boolean;
  problem?: string;
  /** from asking for the lock until it was given back */
  tookMs?: number;
  files?: { relation: string; before: string; after: string }[];
  /** are the old files gone from the disk? null: this role may not look */
  oldGone?: boolean | null;
}

/** Files that a table is planned to be written into need so many times its size: the new ones, and the log of writing them. */
const SPACE = 2;
/** What is measured on little is slower on much. */
const CAUTION = 2;
const ALWAYS_MS = 200;

/** Every table that holds text of strangers, the smallest first, and then the catalogues that hold samples of columns. */
export async function planScrub(
  db: Db,
  { rate, windowMs, freeBytes }: { rate: Rate; windowMs: number; freeBytes: number | undefined },
): Promise<Planned[]> {
  const relations = await readAll(db, Object.keys(THEIR_COLUMNS));
  relations.sort((one, other) => one.bytes - other.bytes);
  return [...relations, ...(await readAll(db, CATALOGUES))].map((relation) => {
    const { name: table, bytes } = relation;
    const lockMs = estimate(relation, rate);
    const needed = bytes * SPACE;
    const skipped =
      lockMs > windowMs
        ? `its lock may last ${seconds(lockMs)}, the window is ${seconds(windowMs)}`
        : freeBytes !== undefined && freeBytes < needed
          ? `it needs ${megabytes(needed)} of the disk, ${megabytes(freeBytes)} are free`
          : undefined;
    return { table, bytes, lockMs, ...(skipped !== undefined && { skipped }) };
  });
}

function estimate({ plainBytes, trigramBytes }: Relation, rate: Rate): number {
  return Math.ceil(ALWAYS_MS + CAUTION * (plainBytes / rate.plain + trigramBytes / rate.trigram));
}

async function readAll(db: Db, names: readonly string[]): Promise<Relation[]> {
  const found = [];
  for (const name of names) found.push(await readRelation(db, name));
  return found.filter((relation) => relation !== undefined);
}

/** Takes strangers' text out of the statistics, whoever put it there. @returns what, in words */
export async function dropStatistics(db: Db): Promise<{ dropped: string[]; left: string[] }> {
  const columns = Object.entries(THEIR_COLUMNS).flatMap(([table, names]) =>
    names.map((column) => ({ table, column })),
  );
  const done = { dropped: [] as string[], left: [] as string[] };
  const drop = async (what: string, work: () => Promise<void>): Promise<void> => {
    const problem = await underLock(work);
    if (problem === undefined) done.dropped.push(what);
    else done.left.push(`${what}: ${problem}`);
  };
  for (const sampled of await listSampled(db, columns))
    await drop(`samples of ${sampled.table}.${sampled.column}`, () => dropSamples(db, sampled));
  for (const name of await listExtendedStatistics(db, columns))
    await drop(`extended statistics ${name}`, () => dropExtendedStatistics(db, name));
  return done;
}

/** SQLSTATEs of a lock that was not had in time, of a statement that took too long, and of what this role may not do. */
const [NO_LOCK, TOO_LONG, NOT_ALLOWED] = ['55P03', '57014', '42501'];
const TRIES = 5;
const PAUSE_MS = 1_000;

/** Asks for a lock again and again. @returns why it came to nothing */
async function underLock(work: () => Promise<void>): Promise<string | undefined> {
  for (let left = TRIES; ; left--) {
    try {
      await work();
      return undefined;
    } catch (error) {
      const code = error instanceof StatementFailed ? error.code : undefined;
      if (code === TOO_LONG) return 'it took longer than the window, and was given up: nothing was changed';
      if (code !== NO_LOCK) throw error;
      if (left <= 1) return 'others use it all the time: its lock was not had';
      await sleep(PAUSE_MS);
    }
  }
}

/** When a scrub began, and what can still see what was erased before. */
interface Begun {
  xid: string;
  at: string;
  holders: string[];
}

/** Waits a while for transactions that are older: what they can see is kept for them, erased or not. */
export async function beginScrub(db: Db, patienceMs = 10_000): Promise<Begun> {
  const number = await takeNumber(db);
  const until = performance.now() + patienceMs;
  for (;;) {
    const holders = await listHolders(db, number.xid);
    if (holders.length === 0 || performance.now() > until) return { ...number, holders };
    await sleep(100);
  }
}

/**
 * Rewrites one table and looks at what came of it: new files, and no version of a row that was erased before.
 * How long a lock may be waited for, and last, are the connection's `lock_timeout` and `statement_timeout`.
 */
export async function rewriteTable(
  db: Db,
  planned: Planned,
  { xid, at, holders }: Begun,
): Promise<Rewritten> {
  const { table } = planned;
  const fail = (problem: string): Rewritten => ({ ...planned, done: false, problem });
  if (planned.skipped !== undefined) return fail(planned.skipped);
  if (holders.length > 0) return fail(`what was erased may still be seen by ${holders.join(', ')}`);
  const before = (await readRelation(db, table))!;
  const from = performance.now();
  const given = await underLock(() => rewrite(db, table));
  if (given !== undefined) return fail(given);
  const tookMs = Math.round(performance.now() - from);
  const after = (await readRelation(db, table))!;
  const files = before.files.map(({ relation, path }) => ({
    relation,
    before: path,
    after: after.files.find((file) => file.relation === relation)?.path ?? '',
  }));
  const rewritten = { ...planned, tookMs, files };
  const same = files.find((file) => file.before === file.after);
  if (same)
    return {
      ...rewritten,
      done: false,
      problem: `${same.relation} has its old file: run it as the owner of the database`,
    };
  if (!(await isNotBefore(db, after.frozenXid, xid)))
    return {
      ...rewritten,
      done: false,
      problem: 'an older transaction was still open: rows that were erased may be in the new file',
    };
  await writeMark(db, table, at);
  return { ...rewritten, done: true };
}

/** Has the old files unlinked, which a checkpoint does, and looks whether they are. */
export async function finish(db: Db, rewritten: readonly Rewritten[]): Promise<Rewritten[]> {
  const allowed = (error: unknown): undefined => {
    if (!(error instanceof StatementFailed) || ![NOT_ALLOWED, TOO_LONG].includes(error.code)) throw error;
  };
  await checkpoint(db).catch(allowed);
  const paths = rewritten.flatMap(({ files = [] }) => files.map(({ before }) => before));
  const present = await listPresent(db, paths).catch(allowed);
  return rewritten.map((one) => {
    if (!one.files) return one;
    if (!present) return { ...one, oldGone: null };
    return {
      ...one,
      oldGone: !one.files.some(({ before, after }) => before !== after && present.includes(before)),
    };
  });
}

/** So many files of the log lie about and are written over in turn (`min_wal_size`), and some more. */
const LOG_FILES = 7;

/** The log of an embedded database goes on until it has come round, and holds nothing of before. */
export async function writeOverLog(db: Db, goOn = () => true): Promise<void> {
  for (let count = 0; count < LOG_FILES && goOn(); count++) {
    await switchLog(db);
    await checkpoint(db);
  }
}

export const seconds = (ms: number): string =>
  `${ms < 10_000 ? (ms / 1000).toFixed(1) : Math.ceil(ms / 1000)} s`;
export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MB`;
