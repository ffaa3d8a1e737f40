// Ledgers: files next to the database to which each row of a table is appended, and which a start replays.
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface LedgerForm<Entry extends object> {
  parse: (fields: Record<string, unknown>) => Entry | null;
  nameOf: (entry: Entry) => string;
}

interface LedgerPlace {
  writtenAt: string;
}

type Listed<Entry, Place extends LedgerPlace> = Entry & { place: Place };

/** Yields null for a damaged line, such as the last one after a crash. */
async function* readLedger<Entry extends object>(file: string, { parse }: LedgerForm<Entry>) {
  let handle: FileHandle;
  try {
    handle = await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  try {
    for await (const line of handle.readLines()) if (line.trim() !== '') yield parseLine(line, parse);
  } finally {
    await handle.close();
  }
}

export async function replayLedger<Entry extends object>(
  file: string,
  form: LedgerForm<Entry>,
  replay: (entries: readonly Entry[]) => Promise<void>,
): Promise<{ entries: number; damaged: number }> {
  let [entries, damaged] = [0, 0];
  let some: Entry[] = [];
  for await (const entry of readLedger(file, form)) {
    entries++;
    if (entry) some.push(entry);
    else damaged++;
    if (some.length < AT_ONCE) continue;
    await replay(some);
    some = [];
  }
  if (some.length > 0) await replay(some);
  return { entries, damaged };
}

function parseLine<Entry extends object>(line: string, parse: LedgerForm<Entry>['parse']): Entry | null {
  try {
    return parse(JSON.parse(line) as Record<string, unknown>);
  } catch {
    return null;
  }
}

/** An earlier transaction may commit later, so this much is read again. */
const AGAIN_FOR_MS = 600_000;
const AT_ONCE = 500;

/** Several processes may write to one file: a duplicate line is harmless. */
export function createLedgerFile<Entry extends object, Place extends LedgerPlace>(
  file: string,
  form: LedgerForm<Entry>,
  list: (after: Place | { since: string }, limit: number) => Promise<Listed<Entry, Place>[]>,
): () => Promise<number> {
  let known: { names: Map<string, number>; newest: number } | undefined;
  return async () => {
    if (!known) await ensureLedger(file);
    known ??= { names: await readNames(file, form), newest: -Infinity };
    const since = new Date(Math.max(0, known.newest - AGAIN_FOR_MS)).toISOString();
    let written = 0;
    for (let after: Place | { since: string } = { since }; ;) {
      const page = await list(after, AT_ONCE);
      const fresh = page.filter((entry) => !known!.names.has(form.nameOf(entry)));
      if (fresh.length > 0) await append(file, fresh.map(withoutPlace));
      for (const entry of page) {
        const at = Date.parse(entry.place.writtenAt);
        known.names.set(form.nameOf(entry), at);
        known.newest = Math.max(known.newest, at);
      }
      written += fresh.length;
      if (page.length < AT_ONCE) break;
      after = page.at(-1)!.place;
    }
    for (const [name, at] of known.names) if (at < known.newest - 2 * AGAIN_FOR_MS) known.names.delete(name);
    return written;
  };
}

const withoutPlace = ({ place: _place, ...entry }: { place: unknown }): object => entry;

async function readNames<Entry extends object>(file: string, form: LedgerForm<Entry>) {
  const names = new Map<string, number>();
  for await (const entry of readLedger(file, form)) if (entry) names.set(form.nameOf(entry), Infinity);
  return names;
}

/** Backup and restore need the file before its first entry. */
export async function ensureLedger(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await (await open(file, 'a', 0o600)).close();
}

async function append(file: string, entries: readonly object[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const handle = await open(file, 'a+', 0o600);
  try {
    const lines = entries.map((entry) => JSON.stringify(entry));
    await handle.writeFile(`${(await endsInLine(handle)) ? '' : '\n'}${lines.join('\n')}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** After a crash the file may end in half a line. */
async function endsInLine(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return true;
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === 10;
}
