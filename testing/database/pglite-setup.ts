import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import type { TestProject } from 'vitest/node';
import type { Db } from '../../packages/server/src/db/db.ts';
import { migrate } from '../../packages/server/src/db/migrate.ts';
import { openPglite } from '../../packages/server/src/db/pglite.ts';

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-pglite-'));
  const dataDir = join(folder, 'database');
  const db = await openPglite({ dataDir });
  const dump = async (name: string): Promise<string> => {
    const file = join(folder, name);
    await db.query(sql`checkpoint`);
    execFileSync('tar', ['--exclude=lock.sock', '-cf', file, '-C', dataDir, '.']);
    return file;
  };
  try {
    await makeLight(db);
    const empty = await dump('empty.tar');
    await migrate(db);
    project.provide('pgliteDumps', { empty, migrated: await dump('migrated.tar') });
  } finally {
    await db.close();
  }
  return () => rm(folder, { recursive: true, force: true });
}

/** Saves memory, because tests open hundreds of copies. */
async function makeLight(db: Db): Promise<void> {
  await db.query(sql`update pg_database set datistemplate = false where datname like 'template%'`);
  for (const name of ['template0', 'template1']) await db.query(raw(`drop database ${name}`));
  await db.query(sql`alter system set shared_buffers = '16MB'`);
}
