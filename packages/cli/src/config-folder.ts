import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError, EXIT } from './exit.ts';

/** Where `svc` keeps what it remembers. */
export const configFolder = (env: NodeJS.ProcessEnv): string =>
  join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'svc');

/** Writes a file that its owner alone may read, whole or not at all. */
export function writePrivate(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const aside = `${path}.${process.pid}`;
  writeFileSync(aside, text, { mode: 0o600 });
  renameSync(aside, path);
}

/** A file of JSON; undefined when there is none. @throws {CommandError} when it cannot be read, or is no JSON but `null` */
export function readPrivate(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    throw new CommandError(EXIT.usage, `${path} cannot be read (${code})`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null) return value;
  } catch {
    // told below
  }
  throw new CommandError(EXIT.usage, `${path} is not a JSON object`);
}

const PAUSE_MS = 10;
/** Work under a lock takes milliseconds: whoever holds one for so long was killed, or sleeps with the machine. */
const ABANDONED_MS = 30_000;
const PATIENCE_MS = 120_000;

/**
 * Reads and writes a file while no other `svc` does: two that each write back what they read would lose what the other wrote.
 * @throws {CommandError} when the lock cannot be had
 */
export function locked<T>(path: string, work: () => T): T {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const lock = `${path}.lock`;
  const end = Date.now() + PATIENCE_MS;
  while (!take(lock)) {
    if (Date.now() > end)
      throw new CommandError(EXIT.unavailable, `${lock} is held by another svc; delete it if none runs`);
    clearAbandoned(lock);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS * (0.5 + Math.random()));
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return false;
    throw new CommandError(EXIT.usage, `${lock} cannot be written (${code})`);
  }
}

/** One of those who wait takes it away, and it is nobody's: renaming succeeds once. */
function clearAbandoned(lock: string): void {
  try {
    if (Date.now() - statSync(lock).mtimeMs < ABANDONED_MS) return;
    const aside = `${lock}.${process.pid}`;
    renameSync(lock, aside);
    rmSync(aside, { force: true });
  } catch {
    // it is gone already
  }
}
