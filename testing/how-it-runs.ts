import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The first line of a test file says how the file runs, unless it runs as all others of its folder do. */
const MARKS = {
  withoutDatabase: '// Runs without a database.',
  /** the embedded database lacks something */
  onPostgres: '// Runs on PostgreSQL only.',
  /** the statements, locks or transactions are the rule; the soak runs every server test on both databases */
  onBoth: '// Runs on both databases.',
  /** cheaper tests check the same rules */
  inSoak: '// Runs in the soak only.',
};

/** Files by their mark. @throws Error that names a file with an unknown mark */
export function filesByMark(root: string, folders: readonly string[]): Record<keyof typeof MARKS, string[]> {
  const found = { withoutDatabase: [], onPostgres: [], onBoth: [], inSoak: [] } as Record<
    keyof typeof MARKS,
    string[]
  >;
  for (const folder of folders)
    for (const name of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.test.ts')) continue;
      const path = join(folder, name);
      const [line] = readFileSync(join(root, path), 'utf8').split('\n', 1);
      if (!line!.startsWith('// Runs ')) continue;
      const mark = Object.entries(MARKS).find(([, text]) => text === line)?.[0] as keyof typeof MARKS;
      if (!mark)
        throw new Error(`${path} has a first line that is no mark of testing/how-it-runs.ts: ${line}`);
      found[mark].push(path);
    }
  return found;
}
