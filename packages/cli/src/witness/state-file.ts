import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { inputError } from '../exit.ts';
import { replaceFile } from '../out-file.ts';

interface WitnessedLog {
  size: number;
  root: string;
  note: string;
}

export type WitnessState = Record<string, WitnessedLog>;

/** After a crash the file has the old content or the new one; once this returns, the new one. */
export function writeDurably(path: string, text: string, mode = 0o600): void {
  replaceFile(path, text, mode);
  const folder = openSync(dirname(path), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Without its state a witness could cosign a fork, so an unreadable file throws. */
export function readState(folder: string): WitnessState {
  const path = join(folder, 'state.json');
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as WitnessState;
  } catch (error) {
    throw inputError(
      `${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'not JSON'}); without it this witness could cosign a fork: restore it, or make a new witness with svc witness init`,
    );
  }
}

export const writeState = (folder: string, state: WitnessState): void =>
  writeDurably(join(folder, 'state.json'), `${JSON.stringify(state, null, 2)}\n`);

/** Replaces the lock of an ended process. */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'lock');
  for (const isLast of [false, true]) {
    try {
      // Only one process can make the folder.
      mkdirSync(path);
      writeFileSync(join(path, 'pid'), String(process.pid));
      return () => rmSync(path, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || isLast || isAlive(path))
        throw inputError(`another svc witness uses ${folder}; if none runs, remove ${path}`);
      const aside = `${path}.${process.pid}`;
      renameSync(path, aside);
      rmSync(aside, { recursive: true });
    }
  }
  throw new Error('unreachable');
}

function isAlive(path: string): boolean {
  try {
    const pid = Number(readFileSync(join(path, 'pid'), 'utf8'));
    // A container gives every run the same process id.
    if (pid === process.pid) return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
