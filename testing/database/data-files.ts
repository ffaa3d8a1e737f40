import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export function findInFiles(folder: string, needle: string): Record<string, number> {
  const found: Record<string, number> = {};
  const bytes = Buffer.from(needle);
  const walk = (below: string): void => {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      const path = join(below, entry.name);
      if (entry.isDirectory()) walk(path);
      else if (entry.isFile()) {
        const count = occurrences(readFileSync(join(folder, path)), bytes);
        if (count > 0) found[path] = count;
      }
    }
  };
  walk('');
  return found;
}

/** The write-ahead log keeps written data for a while. */
export function outsideTheLog(found: Readonly<Record<string, number>>): string[] {
  return Object.keys(found).filter((path) => !path.startsWith('pg_wal/'));
}

function occurrences(content: Buffer, bytes: Buffer): number {
  let count = 0;
  for (let at = content.indexOf(bytes); at >= 0; at = content.indexOf(bytes, at + 1)) count++;
  return count;
}
