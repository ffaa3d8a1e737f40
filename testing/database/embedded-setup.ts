import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../packages/server/src/db/migrate.ts';
import { openPglite } from '../../packages/server/src/db/pglite.ts';
import { newFolder } from '../machine/folder.ts';

declare module 'vitest' {
  interface ProvidedContext {
    embeddedDatabase: string;
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = newFolder('template');
  const dataDir = join(folder, 'database');
  // The process runs for seconds, so optimized code costs more than it saves.
  setFlagsFromString('--liftoff-only');
  const db = await openPglite({ dataDir });
  await migrate(db);
  await db.close();
  project.provide('embeddedDatabase', dataDir);
  return () => rm(folder, { recursive: true, force: true });
}
