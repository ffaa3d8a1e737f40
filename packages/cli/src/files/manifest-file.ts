import { open, readFile, stat } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { parseDisclosure, parseManifest } from '@svc/protocol/conventions';
import type { FileDisclosure, FileManifest } from '@svc/protocol/conventions';
import { asRefusal, CommandError, EXIT, inputError, usageError } from '../exit.ts';
import { parseJson } from '../input-file.ts';

/** Bytes; ten thousand files with the longest names. */
const MOST = 64 * 1024 * 1024;

export const sha256 = (data: Uint8Array): Uint8Array => createHash('sha256').update(data).digest();

/** Flushed to the disk, and never overwritten: nothing can replace a lost manifest. */
export async function writeNew(path: string, value: object): Promise<void> {
  const handle = await open(path, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EEXIST'
      ? usageError(`${path} exists and was not changed, and nothing was etched; name a new file`)
      : inputError(`${path} cannot be written (${error.code}); nothing was etched`);
  });
  try {
    await handle.writeFile(`${JSON.stringify(value, null, 1)}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export async function readManifest(path: string): Promise<FileManifest> {
  const value = await readJson(path);
  return asRefusal(() => parseManifest(value, sha256), EXIT.fail);
}

export async function readDisclosure(path: string): Promise<FileDisclosure> {
  const value = await readJson(path);
  return asRefusal(() => parseDisclosure(value), EXIT.fail);
}

async function readJson(path: string): Promise<unknown> {
  try {
    if ((await stat(path)).size > MOST)
      throw inputError(`${path} is larger than ${MOST} bytes, the limit for a manifest or disclosure`);
    const value = parseJson(await readFile(path));
    if (value === undefined) throw inputError(`${path} is not JSON`);
    return value;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw inputError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
