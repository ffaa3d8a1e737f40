import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError, EXIT } from './exit.ts';
import { fileErrorWords } from './file-error.ts';

const FOLDER_HINT =
  'svc keeps accounts and pins there: name a folder that you can write to with XDG_CONFIG_HOME';

/** Where `svc` keeps what it remembers. */
export const configFolder = (env: NodeJS.ProcessEnv): string =>
  join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'svc');

/** Writes a file that its owner alone may read, whole or not at all. @throws {CommandError} when it cannot */
export function writePrivate(path: string, text: string): void {
  makeFolder(dirname(path));
  const aside = `${path}.${process.pid}`;
  inFolder(() => {
    writeFileSync(aside, text, { mode: 0o600 });
    renameSync(aside, path);
  });
}

const makeFolder = (folder: string): void =>
  inFolder(() => void mkdirSync(folder, { recursive: true, mode: 0o700 }));

/** @throws {CommandError} which names the path and the reason when the file system refuses */
function inFolder(work: () => void): void {
  try {
    work();
  } catch (error) {
    const words = fileErrorWords(error);
    if (words === undefined) throw error;
    throw new CommandError(EXIT.usage, `${words}. ${FOLDER_HINT}`);
  }
}

/** In a file of its own that nothing overwrites. */
export function writeNumbered(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let at = 1; ; at++) {
    const file = `${path}-${at}`;
    try {
      writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
      return file;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** A file of JSON; undefined when there is none. @throws {CommandError} when it cannot be read, or is no JSON but `null` */
export function readPrivate(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const words = fileErrorWords(error) ?? `${path} cannot be read (${code})`;
    throw new CommandError(EXIT.usage, `${words}. ${FOLDER_HINT}`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null) return value;
  } catch {
    // told below
  }
  throw new CommandError(EXIT.usage, `${path} is not a JSON object`);
}

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [5, 400];
/** Of a lock that says nothing of its owner, who was then killed while making it. */
const ABANDONED_MS = 30_000;
const PATIENCE_MS = 600_000;

/**
 * Reads and writes a file while no other `svc` does: two that each write back what they read would lose what the other wrote.
 * @throws {CommandError} when the lock cannot be had
 */
export function locked<T>(path: string, work: () => T): T {
  makeFolder(dirname(path));
  const lock = `${path}.lock`;
  const end = Date.now() + PATIENCE_MS;
  // Longer each time: hundreds that ask all the time would keep the one that holds it from its work.
  for (let pause = FIRST_PAUSE_MS; !take(lock); pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    if (Date.now() > end)
      throw new CommandError(EXIT.unavailable, `${lock} is held by another svc; delete it if none runs`);
    clearAbandoned(lock);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause * (0.5 + Math.random()));
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Before anything is asked of a service whose answer would be lost. @throws {CommandError} when the file cannot be written */
export const checkWritable = (path: string): void => locked(path, () => undefined);

function take(lock: string): boolean {
  try {
    inFolder(() => writeFileSync(lock, ownerOf(process.pid), { flag: 'wx', mode: 0o600 }));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

const ownerOf = (pid: number): string => `${pid} ${hostname()}`;

/** Takes a lock away whose owner is gone: however slow a machine is, one that lives keeps it. */
function clearAbandoned(lock: string): void {
  try {
    const owner = readFileSync(lock, 'utf8');
    const pid = Number.parseInt(owner, 10);
    const isHere = owner === ownerOf(pid);
    if (isHere ? isRunning(pid) : owner !== '' || Date.now() - statSync(lock).mtimeMs < ABANDONED_MS) return;
    const aside = `${lock}.${process.pid}`;
    renameSync(lock, aside);
    // Another one who waits was faster, and somebody holds it again: theirs goes back.
    if (readFileSync(aside, 'utf8') !== owner) linkSync(aside, lock);
    rmSync(aside, { force: true });
  } catch {
    // it is gone already
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
