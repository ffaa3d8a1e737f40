import { cannotRead, decode, readInput, withoutMarks } from '../input-file.ts';
import { asRefusal, failError, inputError } from '../exit.ts';
import { createHash } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { open, realpath, stat } from 'node:fs/promises';
import { checkDifferentNames, checkFileName, type ListedFile, MAX_FILES } from '@svc/protocol/conventions';
import type { Progress } from '../context.ts';
import type { FoundFile } from './find-files.ts';
import { dirname, join } from 'node:path';

export const CHUNK = 1024 * 1024;

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
  // The path may be a link now.
  const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);
  await readSteadily(path, { size, flags, buffer, again: 'try again' }, (chunk) => {
    hash.update(chunk);
    onBytes(chunk.length);
  });
  return { sha256: hash.digest('hex'), size };
}

/** In chunks. @throws {CommandError} when the file changes during the read, or does not have this size */
export async function readSteadily(
  path: string,
  { size, flags, buffer, again }: { size?: number; flags?: number; buffer: Buffer; again: string },
  onChunk: (chunk: Buffer) => void,
): Promise<void> {
  try {
    const handle = await open(path, flags);
    try {
      const before = await handle.stat({ bigint: true });
      const expected = size ?? Number(before.size);
      let length = 0;
      for (;;) {
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, null);
        if (bytesRead === 0 || length > expected) break;
        length += bytesRead;
        onChunk(buffer.subarray(0, bytesRead));
      }
      const after = [await handle.stat({ bigint: true }), await stat(path, { bigint: true })];
      if (length !== expected || !after.every((one) => isSame(before, one)))
        throw inputError(`${path} changed while svc read it; ${again}`);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw cannotRead(path, error);
  }
}

const isSame = (a: BigIntStats, b: BigIntStats): boolean =>
  a.dev === b.dev &&
  a.ino === b.ino &&
  a.size === b.size &&
  a.mtimeNs === b.mtimeNs &&
  a.ctimeNs === b.ctimeNs;

/** Bytes; ten thousand files with the longest names. */
const MOST = 64 * 1024 * 1024;

/** `sha256sum` escapes a name with a backslash or line end. */
const LINE = /^(\\?)([0-9a-f]{64}) [ *](?:\.\/)*(.+)$/iu;

/** From the folder of the list. The files are read, because the leaves need their sizes. */
export async function readSums(list: string, progress: Progress): Promise<HashedFile[]> {
  const listed = parseSums(list, decode(await readInput(list, MOST), `${list} is not UTF-8`));
  const found = await Promise.all(
    listed.map(async ({ name }) => {
      const named = join(dirname(list), name);
      try {
        const path = await realpath(named);
        const facts = await stat(path);
        if (facts.isFile()) return { name, path, size: facts.size };
      } catch (error) {
        throw inputError(
          `${list} names ${name}, and ${named} cannot be read (${(error as NodeJS.ErrnoException).code})`,
        );
      }
      throw inputError(`${list} names ${name}, and ${named} is not a file`);
    }),
  );
  const hashed = await hashFiles(found, progress);
  const changed = hashed.find(({ sha256 }, at) => sha256 !== listed[at]!.sha256);
  if (changed !== undefined)
    throw failError(`${changed.name} is not the file in ${list}: its SHA-256 is ${changed.sha256}`);
  return hashed;
}

function parseSums(list: string, text: string): ListedFile[] {
  const lines = withoutMarks(text).split(/\r?\n/);
  if (lines.length > MAX_FILES) throw inputError(`${list} names more than ${MAX_FILES} files`);
  const files = lines.map((line, at) => {
    const [, escape, sha256, written] = LINE.exec(line) ?? [];
    if (sha256 === undefined || written === undefined)
      throw inputError(
        `line ${at + 1} of ${list} is not a line of sha256sum: 64 hex digits, two spaces and a name`,
      );
    const name = escape
      ? written.replace(/\\([\\nr])/g, (_, one: string) => ({ n: '\n', r: '\r' })[one] ?? '\\')
      : written;
    asRefusal(() => checkFileName(name));
    return { name, sha256: sha256.toLowerCase() };
  });
  asRefusal(() => checkDifferentNames(files.map(({ name }) => name)));
  return files;
}
