import { createReadStream } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import type { Db } from '../db/db.ts';
import { lockEtch } from './change-store.ts';
import { type Erasure, findStanding, insertErasures, listErasures } from './erasure-store.ts';
import { erase } from './retract.ts';

/**
 * The erasure ledger: what was retracted, outside of the database too, so that a backup older than a retraction does not
 * bring its text back. One line of JSON for each: id, hash and time.
 */
export interface Replayed {
  /** lines that were read */
  entries: number;
  /** etches that stood, and were erased again */
  erased: number;
  /** lines that name another hash than the etch has, or are damaged: nothing was done for them */
  refused: number;
}

const AT_ONCE = 500;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Erases again what a ledger names and the database still has. What it does not have is remembered all the same. */
export async function replayErasures(db: Db, file: string): Promise<Replayed> {
  const total: Replayed = { entries: 0, erased: 0, refused: 0 };
  let some: Erasure[] = [];
  for await (const erasure of readLedger(file)) {
    total.entries++;
    if (erasure) some.push(erasure);
    else total.refused++;
    if (some.length < AT_ONCE) continue;
    await replaySome(db, some, total);
    some = [];
  }
  await replaySome(db, some, total);
  return total;
}

async function replaySome(db: Db, erasures: readonly Erasure[], total: Replayed): Promise<void> {
  if (erasures.length === 0) return;
  const byId = new Map(erasures.map((erasure) => [erasure.etch_id, erasure]));
  for (const { id, hash } of await findStanding(db, [...byId.keys()])) {
    const erasure = byId.get(id)!;
    if (hash !== erasure.hash) {
      total.refused++;
      byId.delete(id);
      continue;
    }
    await db.tx(async (tx) => {
      const row = await lockEtch(tx, id);
      if (!row || row.status === 'retracted') return;
      await erase(tx, row, Date.parse(erasure.retracted_at));
      total.erased++;
    });
  }
  await insertErasures(db, [...byId.values()]);
}

/** The lines of a ledger file; null for one that is none (the last one after a crash, say). Nothing where there is no file. */
async function* readLedger(file: string): AsyncGenerator<Erasure | null> {
  const handle = await openIfPresent(file);
  if (!handle) return;
  await handle.close();
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    if (line.trim() !== '') yield parseLine(line);
  }
}

function parseLine(line: string): Erasure | null {
  try {
    const { etch_id, hash, retracted_at } = JSON.parse(line) as Record<string, unknown>;
    if (typeof etch_id !== 'string' || !UUID.test(etch_id)) return null;
    if (typeof hash !== 'string' || !/^[0-9a-f]{64}$/.test(hash)) return null;
    if (typeof retracted_at !== 'string' || Number.isNaN(Date.parse(retracted_at))) return null;
    return { etch_id, hash, retracted_at };
  } catch {
    return null;
  }
}

/** A transaction that began earlier may be committed later: so long before the newest line is looked at again. */
const AGAIN_FOR_MS = 600_000;

/** Keeps a file up with the table. Several processes may write to one: a line twice does no harm. */
export function createErasureFile(db: Db, file: string): () => Promise<number> {
  let known: { ids: Map<string, number>; newest: number } | undefined;
  return async () => {
    known ??= { ids: await readIds(file), newest: -Infinity };
    const since = new Date(Math.max(0, known.newest - AGAIN_FOR_MS)).toISOString();
    let written = 0;
    for (let after: Parameters<typeof listErasures>[1] = { since }; ;) {
      const page = await listErasures(db, after, AT_ONCE);
      const fresh = page.filter(({ etch_id }) => !known!.ids.has(etch_id));
      if (fresh.length > 0) await append(file, fresh);
      for (const { etch_id, place } of page) {
        const at = Date.parse(place.writtenAt);
        known.ids.set(etch_id, at);
        known.newest = Math.max(known.newest, at);
      }
      written += fresh.length;
      if (page.length < AT_ONCE) break;
      after = page.at(-1)!.place;
    }
    for (const [id, at] of known.ids) if (at < known.newest - 2 * AGAIN_FOR_MS) known.ids.delete(id);
    return written;
  };
}

async function readIds(file: string): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for await (const erasure of readLedger(file)) if (erasure) ids.set(erasure.etch_id, Infinity);
  return ids;
}

async function append(file: string, erasures: readonly Erasure[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'a+', 0o600);
  try {
    const lines = erasures.map(({ etch_id, hash, retracted_at }) =>
      JSON.stringify({ etch_id, hash, retracted_at }),
    );
    await handle.writeFile(`${(await endsInLine(handle)) ? '' : '\n'}${lines.join('\n')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A crash may have cut the last line: the next one must not be glued to it. */
async function endsInLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return true;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 10;
}

async function openIfPresent(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
