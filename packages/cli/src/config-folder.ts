import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { awayError, usageError } from './exit.ts';

const FOLDER_HINT =
  'svc keeps accounts and pins there: name a folder that you can write to with XDG_CONFIG_HOME';

export const configFolder = (env: NodeJS.ProcessEnv): string =>
  join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'svc');

/** The path of a file about one service, without its ending. */
export const hostPath = (name: string, origin: string, { env }: { env: NodeJS.ProcessEnv }): string =>
  join(configFolder(env), `${name}-${new URL(origin).host.replaceAll(/[^\w.-]/g, '_')}`);

/** Atomic, readable by its owner only. */
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

function inFolder(work: () => void): void {
  try {
    work();
  } catch (error) {
    const words = fileErrorWords(error);
    if (words === undefined) throw error;
    throw usageError(`${words}. ${FOLDER_HINT}`);
  }
}

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

export function readPrivate(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    const words = fileErrorWords(error) ?? `${path} cannot be read (${code})`;
    throw usageError(`${words}. ${FOLDER_HINT}`);
  }
  try {
    const value: unknown = JSON.parse(text);
    if (value !== null) return value;
  } catch {
    // The error is thrown below.
  }
  throw usageError(`${path} is not a JSON object`);
}

const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [5, 400];
/** A lock of this age belongs to a killed process. */
const ABANDONED_MS = 30_000;
const PATIENCE_MS = 600_000;

/** Excludes other `svc` processes. */
export function locked<T>(path: string, work: () => T): T {
  makeFolder(dirname(path));
  const lock = `${path}.lock`;
  const end = Date.now() + PATIENCE_MS;
  // Hundreds of polling processes would slow down the owner.
  for (let pause = FIRST_PAUSE_MS; !take(lock); pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
    if (Date.now() > end)
      throw awayError(`another svc holds the lock ${lock}; try again, or delete the file if no svc runs`);
    clearAbandoned(lock);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause * (0.5 + Math.random()));
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Runs before a request whose answer must be stored. */
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

/** A slow process keeps its lock. */
function clearAbandoned(lock: string): void {
  try {
    const owner = readFileSync(lock, 'utf8');
    const pid = Number.parseInt(owner, 10);
    const isHere = owner === ownerOf(pid);
    if (isHere ? isRunning(pid) : owner !== '' || Date.now() - statSync(lock).mtimeMs < ABANDONED_MS) return;
    const aside = `${lock}.${process.pid}`;
    renameSync(lock, aside);
    // This file is a new lock of a different process: restore it.
    if (readFileSync(aside, 'utf8') !== owner) linkSync(aside, lock);
    rmSync(aside, { force: true });
  } catch {
    // The lock was released.
  }
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EDQUOT: 'the disk quota is used up',
  EISDIR: 'it is a folder',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'the name is too long',
  ENOENT: 'there is no such file or folder',
  ENOSPC: 'no space is left',
  ENOTDIR: 'a part of the path is not a folder',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
};

const VERBS: Readonly<Record<string, string>> = { mkdir: 'created', open: 'opened', rename: 'replaced' };

export function fileErrorWords(error: unknown): string | undefined {
  const { code = '', syscall = '', path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  const reason = REASONS[code];
  if (!(error instanceof Error) || reason === undefined || typeof path !== 'string') return undefined;
  return `${dest ?? path} cannot be ${VERBS[syscall] ?? 'used'}: ${reason} (${code})`;
}
