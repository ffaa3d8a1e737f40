import { readJsonFile } from '../input-file.ts';
import { open } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { parseDisclosure, parseManifest } from '@svc/protocol/conventions';
import type { FileDisclosure, FileManifest } from '@svc/protocol/conventions';
import { asRefusal, EXIT, inputError, usageError } from '../exit.ts';

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

const LIMITED = ', the limit for a manifest or disclosure';

export async function readManifest(path: string): Promise<FileManifest> {
  const value = await readJsonFile(path, MOST, LIMITED);
  return asRefusal(() => parseManifest(value, sha256), EXIT.fail);
}

export async function readDisclosure(path: string): Promise<FileDisclosure> {
  const value = await readJsonFile(path, MOST, LIMITED);
  return asRefusal(() => parseDisclosure(value), EXIT.fail);
}
