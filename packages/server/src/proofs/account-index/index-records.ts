// A file with the index entries of the log.
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { bytesToHex, hexToBytes } from '@svc/protocol';
import type { IndexData } from '@svc/protocol/account-index';
import { readIfPresent } from '../../db/files.ts';

/**
 * The index entries of the log, in a file. A restored database without the etches of a tree cannot compute the index
 * entry behind it (docs/decisions/0028-the-index-of-accounts.md).
 */
export interface IndexRecords {
  /** Durable before the database has the entries. */
  append(entries: readonly IndexData[]): Promise<void>;
  /** roots by covered size */
  read(): Promise<ReadonlyMap<number, Uint8Array>>;
}

const LINE = /^(\d{1,10}) ([0-9a-f]{64})$/;

export function createIndexRecords(folder: string, origin: string): IndexRecords {
  const path = join(folder, `index-${encodeURIComponent(origin)}`);
  return {
    async append(entries) {
      if (entries.length === 0) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await open(path, 'a', 0o600);
      try {
        // A crash may have cut the last line.
        await file.appendFile(
          `\n${entries.map(({ covered, root }) => `${covered} ${bytesToHex(root)}`).join('\n')}\n`,
        );
        await file.sync();
      } finally {
        await file.close();
      }
    },
    async read() {
      const lines = ((await readIfPresent(path)) ?? '').split('\n');
      const found = lines.flatMap((line) => {
        const [, covered, root] = LINE.exec(line) ?? [];
        return covered === undefined ? [] : [[Number(covered), hexToBytes(root!)] as const];
      });
      return new Map(found);
    },
  };
}
