// Rewrites the tables of the embedded database after an erasure, while no request needs it.
import type { Db } from '../../db/db.ts';
import { checkpoint, type Rate, readMarks, readNewestErasure } from './store.ts';
import {
  beginScrub,
  dropStatistics,
  finish,
  planScrub,
  type Planned,
  rewriteTable,
  writeOverLog,
} from './scrub.ts';
import { SCRUBBED } from './texts.ts';

/** Requests to the embedded database wait at most this long. */
const WINDOW_MS = 2_000;
/** Bytes per millisecond, a low assumption. */
const SLOW: Rate = { plain: 20_000, trigram: 8_000 };

export interface IdleScrub {
  db: Db;
  isIdle: () => boolean;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

export function createIdleScrub({ db, isIdle, log }: IdleScrub): () => Promise<void> {
  const reported = new Set<string>();
  return async () => {
    const newest = await readNewestErasure(db);
    if (newest === null || !isIdle()) return;
    const marks = await readMarks(db);
    const isDue = (table: string) => Date.parse(marks.get(table) ?? '1970-01-01') <= Date.parse(newest);
    if (!SCRUBBED.some(isDue)) return;
    const planned = await planScrub(db, { rate: SLOW, windowMs: WINDOW_MS, freeBytes: undefined });
    const due = planned.filter(({ table }) => isDue(table));
    const fitting = due.filter(({ skipped }) => skipped === undefined);
    logTooBig(due);
    if (fitting.length === 0) return;
    await dropStatistics(db);
    const begun = await beginScrub(db);
    const done = [];
    for (const one of fitting) {
      if (!isIdle()) break;
      done.push(await rewriteTable(db, one, begun));
    }
    if (done.length < fitting.length) return void (await checkpoint(db));
    await finish(db, done);
    await writeOverLog(db, isIdle);
    log.info({ tables: done.map(({ table }) => table) }, 'files with erased texts were rewritten');
  };

  function logTooBig(due: readonly Planned[]): void {
    const tables = due.filter(({ table, skipped }) => skipped !== undefined && !reported.has(table));
    if (tables.length === 0) return;
    for (const { table } of tables) reported.add(table);
    log.warn(
      { tables: tables.map(({ table }) => table) },
      'too big to rewrite while the service runs: erased texts stay in free space of the files. Stop the service and run `svc-admin scrub`',
    );
  }
}
