import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { inject } from 'vitest';
import { newFolder } from '../machine/folder.ts';

/** A new database takes seconds. */
export async function newDataDir(): Promise<string> {
  const dataDir = join(newFolder('data'), 'data');
  await cp(inject('embeddedDatabase'), join(dataDir, 'database'), { recursive: true });
  return dataDir;
}
