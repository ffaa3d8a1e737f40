// Rewrites tables, so that no file of the database contains erased text (docs/operating/erasure.md).
import { setTimeout as sleep } from 'node:timers/promises';
import { type Db, StatementFailed } from '../../db/db.ts';
import {
  checkpoint,
  dropExtendedStatistics,
  dropSamples,
  isNotBefore,
  listExtendedStatistics,
  listHolders,
  listPresent,
  listSampled,
  type Rate,
  readRelation,
  type Relation,
  rewrite,
  switchLog,
  takeNumber,
  writeMark,
} from './store.ts';
import { CATALOGUES, THEIR_COLUMNS } from './texts.ts';

export interface Planned {
  table: string;
  bytes: number;
  lockMs: number;
  skipped?: string;
}

export interface Rewritten extends Planned {
  done: boolean;
  problem?: string;
  tookMs?: number;
  files?: { relation: string; before: string; after: string }[];
  oldGone?: boolean | null;
}

/** In table sizes: new files and write-ahead log. */
const SPACE = 2;
const CAUTION = 2;
const ALWAYS_MS = 200;

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

const estimate = ({ plainBytes, trigramBytes }: Relation, rate: Rate): number =>
  Math.ceil(ALWAYS_MS + CAUTION * (plainBytes / rate.plain + trigramBytes / rate.trigram));

async function readAll(db: Db, names: readonly string[]): Promise<Relation[]> {
  const found = [];
  for (const name of names) found.push(await readRelation(db, name));
  return found.filter((relation) => relation !== undefined);
}

export async function dropStatistics(db: Db): Promise<{ dropped: string[]; left: string[] }> {
  const columns = Object.entries(THEIR_COLUMNS).flatMap(([table, names]) =>
    names.map((column) => ({ table, column })),
  );
  const done = { dropped: [] as string[], left: [] as string[] };
  const drop = async (what: string, work: () => Promise<unknown>): Promise<void> => {
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

const [NO_LOCK, TOO_LONG, NOT_ALLOWED] = ['55P03', '57014', '42501'];
const TRIES = 5;
const PAUSE_MS = 1_000;

async function underLock(work: () => Promise<unknown>): Promise<string | undefined> {
  for (let left = TRIES; ; left--) {
    try {
      await work();
      return undefined;
    } catch (error) {
      const code = error instanceof StatementFailed ? error.code : undefined;
      if (code === TOO_LONG) return 'it took longer than the window and was canceled: nothing was changed';
      if (code !== NO_LOCK) throw error;
      if (left <= 1) return 'it is in constant use: the lock timed out, try again later';
      await sleep(PAUSE_MS);
    }
  }
}

interface Begun {
  xid: string;
  at: string;
  holders: string[];
}

/** Waits for older transactions, because the database keeps rows that they can see. */
export async function beginScrub(db: Db, patienceMs = 10_000): Promise<Begun> {
  const number = await takeNumber(db);
  const until = performance.now() + patienceMs;
  for (;;) {
    const holders = await listHolders(db, number.xid);
    if (holders.length === 0 || performance.now() > until) return { ...number, holders };
    await sleep(100);
  }
}

/** Checks that the files are new and contain no erased row. The connection's timeouts apply. */
export async function rewriteTable(
  db: Db,
  planned: Planned,
  { xid, at, holders }: Begun,
): Promise<Rewritten> {
  const { table } = planned;
  const fail = (problem: string, rewritten: Partial<Rewritten> = {}): Rewritten => ({
    ...planned,
    ...rewritten,
    done: false,
    problem,
  });
  if (planned.skipped !== undefined) return fail(planned.skipped);
  if (holders.length > 0) return fail(`erased rows may still be visible to ${holders.join(', ')}`);
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
  const rewritten = { tookMs, files };
  const same = files.find((file) => file.before === file.after);
  if (same) return fail(`${same.relation} has its old file: run it as the owner of the database`, rewritten);
  if (!(await isNotBefore(db, after.frozenXid, xid)))
    return fail(
      'an older transaction was still open: rows that were erased may be in the new file',
      rewritten,
    );
  await writeMark(db, table, at);
  return { ...planned, ...rewritten, done: true };
}

/** A checkpoint deletes the old files. */
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

/** More than `min_wal_size` keeps for reuse. */
const LOG_FILES = 7;

export async function writeOverLog(db: Db, goOn = () => true): Promise<void> {
  for (let count = 0; count < LOG_FILES && goOn(); count++) {
    await switchLog(db);
    await checkpoint(db);
  }
}

export const seconds = (ms: number): string =>
  `${ms < 10_000 ? (ms / 1000).toFixed(1) : Math.ceil(ms / 1000)} s`;
export const megabytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20)} MB`;
