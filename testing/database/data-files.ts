import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export function findInFiles(folder: string, needle: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(needle))
    .map((path) => relative(folder, path));
}

/** The write-ahead log keeps written data for a while. */
export function outsideTheLog(folder: string, needle: string): string[] {
  return findInFiles(folder, needle).filter((path) => !path.startsWith('pg_wal/'));
}
