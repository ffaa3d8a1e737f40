import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];
process.once('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

/** A folder of nobody else's, gone with this process at the latest. */
export function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `svc-test-${name}-`));
  made.push(folder);
  return folder;
}
