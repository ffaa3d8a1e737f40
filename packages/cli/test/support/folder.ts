import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function folderOf(files: Record<string, string | Buffer>): string {
  const path = mkdtempSync(join(tmpdir(), 'svc-files-'));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(path, name, '..'), { recursive: true });
    writeFileSync(join(path, name), content);
  }
  return path;
}
