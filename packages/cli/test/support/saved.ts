import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder } from '../../../../testing/machine/folder.ts';

let folder: string | undefined;
let files = 0;

export function save(value: unknown): string {
  const path = join((folder ??= newFolder('cli')), `${files++}.json`);
  writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value));
  return path;
}
