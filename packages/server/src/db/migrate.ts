import { readdirSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sql, { raw } from 'sql-template-tag';
import type { Db } from './db.ts';

const FOLDER = fileURLToPath(new URL('../../src/db/migrations/', import.meta.url));

const FILE_NAME = /^(\d{6})_.+\.sql$/;

export interface Migration {
  version: number;
  name: string;
  text: string;
}

class SchemaTooNew extends Error {
  override name = 'SchemaTooNew';
}

export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => FILE_NAME.test(file)).sort();
  return Promise.all(
    files.map(async (file) => ({
      version: Number(file.slice(0, 6)),
      name: file,
      text: await readFile(join(folder, file), 'utf8'),
    })),
  );
}

export const newestSchema = (): number =>
  Math.max(...readdirSync(FOLDER).map((file) => Number(FILE_NAME.exec(file)?.[1] ?? 0)));

/**
 * Each migration runs in its own transaction; processes take turns.
 * @param applied called after each migration of this process
 * @throws SchemaTooNew
 */
export async function migrate(
  db: Db,
  migrations?: readonly Migration[],
  applied?: (migration: Migration) => void,
): Promise<void> {
  const wanted = migrations ?? (await readMigrations());
  await createLedger(db);
  const newest = wanted.at(-1)?.version ?? 0;
  const found = await readVersion(db);
  if (found > newest) {
    throw new SchemaTooNew(
      `the database has schema version ${found}, this application knows ${newest}: run the newer application`,
    );
  }
  for (const migration of wanted) {
    if (migration.version <= found) continue;
    const isNew = await db.tx(async (tx) => {
      await tx.query(sql`lock table schema_migration in access exclusive mode`);
      const { version, name } = migration;
      if (await tx.hasRows(sql`select 1 from schema_migration where version = ${version}`)) return false;
      for (const statement of split(migration.text)) await tx.query(raw(statement));
      await tx.query(
        sql`insert into schema_migration (version, name, applied_at) values (${version}, ${name}, now())`,
      );
      return true;
    });
    if (isNew) applied?.(migration);
  }
}

export async function isMigrated(db: Db): Promise<boolean> {
  return (await readVersion(db)) === newestSchema();
}

const readVersion = (db: Db) =>
  db.value<number>(sql`select coalesce(max(version), 0) as version from schema_migration`);

/** `if not exists` is no lock. */
async function createLedger(db: Db): Promise<void> {
  await db.tx(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(hashtext('schema_migration'))`);
    await tx.query(sql`create table if not exists schema_migration (
      version integer primary key, name text not null, applied_at timestamptz(3) not null)`);
  });
}

/** Splits at semicolons. No literal may contain one; a body between `$$` may. */
function split(text: string): string[] {
  return text
    .replace(/--[^\n]*/g, '')
    .replace(/\$\$[^]*?\$\$/g, (body) => body.replaceAll(';', '\0'))
    .split(';')
    .map((statement) => statement.replaceAll('\0', ';').trim())
    .filter((statement) => statement !== '');
}
