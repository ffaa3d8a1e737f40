import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];
process.once('exit', removeFolders);

export function removeFolders(): void {
  for (const folder of made.splice(0))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

export function newFolder(name: string, within = tmpdir()): string {
  const folder = mkdtempSync(join(within, `svc-test-${name}-`));
  made.push(folder);
  return folder;
}

export function folderWith(file: string, content = ''): string {
  const folder = newFolder('data');
  writeFileSync(join(folder, file), content);
  return folder;
}
