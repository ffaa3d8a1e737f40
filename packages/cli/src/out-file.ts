import {
  accessSync,
  closeSync,
  constants,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { type CommandError, inputError } from './exit.ts';

/** Readable by its owner only. Replaces a file atomically; writes to a pipe or device directly. */
export function writeOut(path: string, value: unknown): void {
  writeOutBytes(path, `${JSON.stringify(value, null, 2)}\n`);
}

export function writeOutBytes(path: string, text: string | Uint8Array): void {
  try {
    const target = targetOf(path);
    if (target === undefined) return writeFileSync(path, text);
    replaceFile(target, text);
  } catch (error) {
    throw unwritable(path, error);
  }
}

export function refuseUnwritable(path: string | undefined): void {
  if (path === undefined) return;
  try {
    const target = targetOf(path);
    accessSync(target === undefined ? path : dirname(target), constants.W_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function targetOf(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return path;
  if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  return found.isFile() ? realpathSync(path) : undefined;
}

/** After a crash the file has the old content or the new one. */
export function replaceFile(path: string, text: string | Uint8Array, mode = 0o600): void {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = openSync(aside, 'wx', mode);
    try {
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

const unwritable = (path: string, error: unknown): CommandError =>
  inputError(
    `${path} cannot be written (${(error as NodeJS.ErrnoException).code}); name a file in a folder that you can write`,
  );
