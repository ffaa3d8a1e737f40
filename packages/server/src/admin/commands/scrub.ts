import { statfs } from 'node:fs/promises';
import { flag, otherwise, read } from '@svc/cli/command';
import { InvalidArgumentError } from 'commander';
import sql from 'sql-template-tag';
import { measureRate } from '../../acts/scrub/store.ts';
import {
  beginScrub,
  dropStatistics,
  finish,
  megabytes,
  type Planned,
  planScrub,
  rewriteTable,
  type Rewritten,
  seconds,
  writeOverLog,
} from '../../acts/scrub/scrub.ts';
import type { Db } from '../../db/db.ts';
import type { Config } from '../../settings/config.ts';
import { isLoopback } from '../../settings/listen-address.ts';
import { command } from '../command.ts';
import { databaseFolder, withDatabase } from '../context.ts';

export const scrubCommand = command(
  'scrub',
  'rewrite the files of every table with text, so that erased text is in none of them',
  {
    input: {
      '--window <seconds>': otherwise(
        30,
        read(wholeSeconds, 'longest lock of a table; one that needs longer is skipped'),
      ),
      '--lock-wait <seconds>': otherwise(
        2,
        read(wholeSeconds, 'longest wait for a lock each time; other queries wait behind it'),
      ),
      '--plan': flag('print the plan and change nothing'),
    },
    below:
      '\nRewrites one table after the other, the smallest first, each under an exclusive lock. A rewrite that would exceed the\n' +
      'window is canceled and changes nothing. A table needs about twice its size of free disk space. The log (WAL), standbys,\n' +
      'backups and the file system keep old data: docs/operating/erasure.md says how long.\n' +
      'Status 1: a table was skipped; its name is printed. Run this as the owner of the database.',
    async run(given, admin) {
      const config = admin.config();
      const [windowMs, waitMs] = [given.window * 1000, given.lockWait * 1000];
      const limits = { statementTimeout: windowMs + waitMs, parameters: { lock_timeout: waitMs } };
      const rate = await withDatabase(config, measureRate);
      return withDatabase(
        config,
        async (db) => {
          const freeBytes = await freeSpace(db, config);
          const planned = await planScrub(db, { rate, windowMs, freeBytes });
          const bounds = { window_seconds: given.window, free_bytes: freeBytes ?? null };
          const plan = [...planned.map(inWords), spaceInWords(planned, freeBytes)];
          if (given.plan) {
            const isSkipped = planned.some(({ skipped }) => skipped !== undefined);
            return { value: { ...bounds, tables: planned }, lines: plan, isFault: isSkipped };
          }
          for (const line of plan) admin.note(`${line}\n`);
          const statistics = await dropStatistics(db);
          const tables = await rewriteAll(db, planned, windowMs);
          if (db.engine === 'pglite') await writeOverLog(db);
          const lines = [
            ...statistics.dropped.map((what) => `dropped: ${what}`),
            ...statistics.left.map((what) => `LEFT: ${what}`),
            ...tables.map(resultInWords),
          ];
          const isLeft = tables.some(({ done, oldGone }) => !done || oldGone === false);
          const isFault = isLeft || statistics.left.length > 0;
          return { value: { ...bounds, statistics, tables }, lines, isFault };
        },
        limits,
      );
    },
  },
);

const TELLING_MS = 1_000;

/** If one table took longer than estimated, the next one will too. */
async function rewriteAll(db: Db, planned: readonly Planned[], windowMs: number): Promise<Rewritten[]> {
  const begun = await beginScrub(db);
  const done: Rewritten[] = [];
  let slower = 1;
  for (const one of planned) {
    const lockMs = Math.ceil(one.lockMs * slower);
    const skipped =
      one.skipped ??
      (lockMs > windowMs
        ? `its lock may last ${seconds(lockMs)} at the rate of the others, the window is ${seconds(windowMs)}`
        : undefined);
    const result = await rewriteTable(db, { ...one, ...(skipped !== undefined && { skipped }) }, begun);
    if ((result.tookMs ?? 0) > TELLING_MS) slower = Math.max(slower, result.tookMs! / one.lockMs);
    done.push(result);
  }
  return finish(db, done);
}

const inWords = ({ table, bytes, lockMs, skipped }: Planned): string =>
  `${table}: ${megabytes(bytes)}, locked for about ${seconds(lockMs)}${skipped === undefined ? '' : ` — LEFT ALONE: ${skipped}`}`;

function spaceInWords(planned: readonly Planned[], free: number | undefined): string {
  const needed =
    2 * Math.max(0, ...planned.filter(({ skipped }) => skipped === undefined).map(({ bytes }) => bytes));
  return `needs up to ${megabytes(needed)} of the database's disk meanwhile (new files and their log); ${
    free === undefined ? 'the free space is unknown here: check it first (df)' : `${megabytes(free)} are free`
  }`;
}

function resultInWords({ table, done, problem, tookMs, files = [], oldGone }: Rewritten): string {
  if (!done) return `${table}: LEFT ALONE: ${problem}`;
  const [first] = files.filter(({ relation }) => relation.endsWith(table));
  const gone = {
    true: 'the old files are gone',
    false: 'an old file is STILL THERE, until the next checkpoint',
    null: 'this role may not check whether the old files are gone: the next checkpoint removes them',
  }[String(oldGone)];
  return `${table}: ${first!.before} is ${first!.after} now, and ${files.length - 1} more files are new; ${gone} (${seconds(tookMs!)})`;
}

function wholeSeconds(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 86_400)
    throw new InvalidArgumentError('seconds, 1 to 86400');
  return value;
}

async function freeSpace(db: Db, config: Config): Promise<number | undefined> {
  const folder = await dataFolder(db, config).catch(() => undefined);
  const disk = folder === undefined ? undefined : await statfs(folder).catch(() => undefined);
  return disk && disk.bavail * disk.bsize;
}

async function dataFolder(db: Db, config: Config): Promise<string | undefined> {
  const { databaseUrl } = config.secrets;
  if (databaseUrl === undefined) return databaseFolder(config);
  if (!isLoopback(new URL(databaseUrl).hostname)) return undefined;
  return db.value<string>(sql`show data_directory`);
}
