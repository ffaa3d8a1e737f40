import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { checkDifferentNames, checkFileName, type ListedFile, MAX_FILES } from '@svc/protocol/conventions';
import { CommandError, failError, inputError } from '../exit.ts';
import type { Progress } from '../progress.ts';
import { asRefusal } from './find-files.ts';
import { type HashedFile, hashFiles } from './hash-files.ts';

/** Bytes; ten thousand files with the longest names. */
const MOST = 64 * 1024 * 1024;

/** `sha256sum` escapes a name with a backslash or line end. */
const LINE = /^(\\?)([0-9a-f]{64}) [ *](?:\.\/)*(.+)$/iu;

/** From the folder of the list. The files are read, because the leaves need their sizes. */
export async function readSums(list: string, progress: Progress): Promise<HashedFile[]> {
  const listed = parseSums(list, await readList(list));
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
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
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

async function readList(list: string): Promise<string> {
  try {
    if ((await stat(list)).size > MOST) throw inputError(`${list} is larger than ${MOST} bytes`);
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(list));
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const why =
      error instanceof TypeError
        ? 'is not UTF-8'
        : `cannot be read (${(error as NodeJS.ErrnoException).code})`;
    throw inputError(`${list} ${why}`);
  }
}
