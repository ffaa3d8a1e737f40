import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { ListedFile } from '@svc/protocol/conventions';
import type { Progress } from '../progress.ts';
import { CommandError, inputError } from '../exit.ts';
import type { FoundFile } from './find-files.ts';

const CHUNK = 1024 * 1024;

export interface HashedFile extends ListedFile {
  size: number;
}

/** One buffer, so that memory does not grow. */
export async function hashFiles(files: readonly FoundFile[], progress: Progress): Promise<HashedFile[]> {
  const buffer = Buffer.allocUnsafe(CHUNK);
  const total = files.reduce((sum, { size }) => sum + size, 0);
  let done = 0;
  const hashed: HashedFile[] = [];
  try {
    for (const [at, file] of files.entries()) {
      const label = `file ${at + 1} of ${files.length}, bytes`;
      const read = await hashFile(file, buffer, (bytes) => progress.show(label, (done += bytes), total));
      hashed.push({ name: file.name, ...read });
    }
  } finally {
    progress.clear();
  }
  return hashed;
}

async function hashFile(
  { path, size }: FoundFile,
  buffer: Buffer,
  onBytes: (bytes: number) => void,
): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  try {
    // The path may be a link now.
    const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      const before = await handle.stat({ bigint: true });
      let length = 0;
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, CHUNK, null);
        if (bytesRead === 0 || length > size) break;
        hash.update(buffer.subarray(0, bytesRead));
        length += bytesRead;
        onBytes(bytesRead);
      }
      const after = [await handle.stat({ bigint: true }), await stat(path, { bigint: true })];
      if (length !== size || !after.every((one) => isSame(before, one)))
        throw inputError(`${path} changed while svc read it; try again`);
      return { sha256: hash.digest('hex'), size: length };
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw inputError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

export const isSame = (a: BigIntStats, b: BigIntStats): boolean =>
  a.dev === b.dev &&
  a.ino === b.ino &&
  a.size === b.size &&
  a.mtimeNs === b.mtimeNs &&
  a.ctimeNs === b.ctimeNs;
