import * as fs from 'node:fs';
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { type CommandError, inputError } from './exit.ts';

type Chunk = string | Uint8Array;

/** Readable by its owner only. Replaces a file atomically; writes to a pipe or device directly. */
export function writeOut(path: string, value: unknown): void {
  writeOutBytes(path, `${JSON.stringify(value, null, 2)}\n`);
}

export function writeOutBytes(path: string, text: string | Uint8Array): void {
  try {
    const target = targetOf(path);
    if (target === undefined) return fs.writeFileSync(path, text);
    replaceFile(target, text);
  } catch (error) {
    throw unwritable(path, error);
  }
}

export function refuseUnwritable(path: string | undefined): void {
  if (path === undefined) return;
  try {
    const target = targetOf(path);
    fs.accessSync(target === undefined ? path : dirname(target), fs.constants.W_OK);
  } catch (error) {
    throw unwritable(path, error);
  }
}

function targetOf(path: string): string | undefined {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return path;
  if (found.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
  return found.isFile() ? fs.realpathSync(path) : undefined;
}

/** After a crash the file has the old content or the new one. */
export function replaceFile(
  path: string,
  content: Chunk | readonly Chunk[] | Generator<Chunk>,
  mode = 0o600,
): void {
  const aside = `${path}.${randomBytes(6).toString('hex')}`;
  try {
    const file = fs.openSync(aside, 'wx', mode);
    try {
      const chunks = typeof content === 'string' || content instanceof Uint8Array ? [content] : content;
      for (const chunk of chunks) fs.writeFileSync(file, chunk);
      fs.fsyncSync(file);
    } finally {
      fs.closeSync(file);
    }
    fs.renameSync(aside, path);
  } catch (error) {
    fs.rmSync(aside, { force: true });
    throw error;
  }
}

const unwritable = (path: string, error: unknown): CommandError =>
  inputError(
    `${path} cannot be written (${(error as NodeJS.ErrnoException).code}); name a file in a folder that you can write`,
  );
