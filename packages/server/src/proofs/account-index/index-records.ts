// A file with what follows each tree of the log: an index entry, or none.
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { readIfPresent } from '../../db/files.ts';

export interface IndexRecord {
  /** one more than the log index of the tree */
  covered: number;
  /** of the index entry behind the tree; null: the tree is signed without an index entry */
  root: Buffer | null;
  /** the tree's root; absent in lines of earlier versions and in lines that the operator wrote */
  tree?: Buffer | undefined;
}

/**
 * A restored database without the etches of a tree cannot compute the index entry behind the tree
 * (docs/decisions/0028-the-index-of-accounts.md).
 */
export interface IndexRecords {
  /** Durable before the database or a checkpoint has them. */
  append(records: readonly IndexRecord[]): Promise<void>;
  /** The last one of each covered size. */
  read(): Promise<ReadonlyMap<number, IndexRecord>>;
}

const LINE = /^(\d{1,10}) (-|[0-9a-f]{64})(?: ([0-9a-f]{64}))?$/;

const lineOf = ({ covered, root, tree }: IndexRecord): string =>
  [covered, root?.toString('hex') ?? '-', ...(tree ? [tree.toString('hex')] : [])].join(' ');

export function createIndexRecords(folder: string, origin: string): IndexRecords {
  const path = join(folder, `index-${encodeURIComponent(origin)}`);
  return {
    async append(records) {
      if (records.length === 0) return;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const file = await open(path, 'a', 0o600);
      try {
        // A crash may have cut the last line.
        await file.appendFile(`\n${records.map(lineOf).join('\n')}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
    },
    async read() {
      const found = new Map<number, IndexRecord>();
      for (const line of ((await readIfPresent(path)) ?? '').split('\n')) {
        const [, covered, root, tree] = LINE.exec(line) ?? [];
        if (covered === undefined) continue;
        found.set(Number(covered), {
          covered: Number(covered),
          root: root === '-' ? null : Buffer.from(root!, 'hex'),
          tree: tree === undefined ? undefined : Buffer.from(tree, 'hex'),
        });
      }
      return found;
    },
  };
}
