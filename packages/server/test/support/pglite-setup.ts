import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { migrate } from '../../src/db/migrate.ts';
import { openPglite } from '../../src/db/pglite.ts';

/** Migrates one PGlite; the test files begin with copies of it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-pglite-'));
  const db = await openPglite();
  try {
    await migrate(db);
    const dump = join(folder, 'dump.tar');
    await writeFile(dump, Buffer.from(await (await db.dump()).arrayBuffer()));
    project.provide('pgliteDump', dump);
  } finally {
    await db.close();
  }
  return () => rm(folder, { recursive: true, force: true });
}
