import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import type { Keyring } from './keyring.ts';

/** Keys for the embedded database: made once, kept beside it, readable by its owner only. */
export async function generatedKeys(dataDir: string): Promise<Buffer[]> {
  const file = join(dataDir, 'secret-keys');
  const found = (await readKeys(file)) ?? (await makeKey(dataDir, file));
  const keys = found.trim().split(',');
  if (keys.some((key) => !/^[0-9a-f]{64}$/.test(key)))
    throw new Error(`${file} is damaged: restore it, without it sealed texts cannot be opened`);
  return keys.map((key) => Buffer.from(key, 'hex'));
}

function readKeys(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** Answers what the file holds then, which is another process's key if that was faster. */
async function makeKey(dataDir: string, file: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // Written aside first: a half-written key file would lock the database for good.
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(aside, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`);
    await handle.sync();
    // A link, unlike a rename, never takes the place of a key that is in use already.
    await link(aside, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await handle.close();
    await unlink(aside);
  }
  return (await readKeys(file)) ?? '';
}

/** SECRET_KEYS lacks a key that this database was used with. */
export class WrongSecretKeys extends Error {
  override name = 'WrongSecretKeys';
}

/**
 * The database remembers every key it was used with by a check value (docs/operating.md#keys): without one of
 * them what it sealed could not be opened.
 * @throws WrongSecretKeys
 */
export async function checkSecretKeys(db: Queryable, keyring: Keyring): Promise<void> {
  await refuseLackingKeys(db, keyring);
  const [first] = keyring.checks();
  await db.query(sql`
    insert into secret_check (key_id, value) values (${first!.id}, ${first!.value}) on conflict (key_id) do nothing`);
}

/** The same question, without remembering the key in use. @throws WrongSecretKeys */
export async function refuseLackingKeys(db: Queryable, keyring: Keyring): Promise<void> {
  const ours = new Map(keyring.checks().map((check) => [check.id, check.value]));
  const stored = await db.query<{ key_id: string; value: Buffer }>(
    sql`select key_id, value from secret_check`,
  );
  for (const { key_id: id, value } of stored) {
    if (!ours.get(id)?.equals(value)) {
      throw new WrongSecretKeys(
        'SECRET_KEYS lacks a key that this database was sealed with: put it back (after the new one, when rotating)',
      );
    }
  }
}
