import type { Db } from '../../db/db.ts';
import type { Rate } from './rate-store.ts';
import {
  beginScrub,
  dropStatistics,
  finish,
  planScrub,
  type Planned,
  rewriteTable,
  writeOverLog,
} from './scrub.ts';
import { checkpoint, readMarks, readNewestErasure } from './store.ts';
import { SCRUBBED } from './texts.ts';

/** The embedded database has one connection, so everybody waits for a table that is rewritten: so long at most. */
const WINDOW_MS = 2_000;
/** Bytes in a millisecond, taken low: nobody is to wait for a measurement. */
const SLOW: Rate = { plain: 20_000, trigram: 8_000 };

export interface IdleScrub {
  db: Db;
  /** Has nobody asked for anything for a while? */
  isIdle: () => boolean;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

/**
 * Rewrites by itself, while nobody asks for anything, what was erased from since it was last rewritten. One table at a time,
 * small ones only; what is too big is told once.
 */
export function createIdleScrub({ db, isIdle, log }: IdleScrub): () => Promise<void> {
  const told = new Set<string>();
  return async () => {
    const newest = await readNewestErasure(db);
    if (newest === undefined || !isIdle()) return;
    const marks = await readMarks(db);
    const isDue = (table: string) => Date.parse(marks.get(table) ?? '1970-01-01') <= Date.parse(newest);
    if (!SCRUBBED.some(isDue)) return;
    const planned = await planScrub(db, { rate: SLOW, windowMs: WINDOW_MS, freeBytes: undefined });
    const due = planned.filter(({ table }) => isDue(table));
    const fitting = due.filter(({ skipped }) => skipped === undefined);
    tellTooBig(due);
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
    log.info(
      { tables: done.map(({ table }) => table) },
      'the files that held what was erased were written anew',
    );
  };

  function tellTooBig(due: readonly Planned[]): void {
    const tables = due.filter(({ table, skipped }) => skipped !== undefined && !told.has(table));
    if (tables.length === 0) return;
    for (const { table } of tables) told.add(table);
    log.warn(
      { tables: tables.map(({ table }) => table) },
      'too big to be written anew while the service runs: what was erased lies in freed space until `svc-admin scrub`, with the service stopped',
    );
  }
}
