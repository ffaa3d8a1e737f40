import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import type { Queryable } from '../db/db.ts';
import type { Keyring } from './keyring.ts';

/** Keys for the embedded database: created once, stored in its directory, readable only by their owner. */
export async function generatedKeys(dataDir: string): Promise<Buffer[]> {
  const file = join(dataDir, 'secret-keys');
  const found = (await readKeys(file)) ?? (await makeKey(dataDir, file));
  const keys = found.trim().split(',');
  if (keys.some((key) => !/^[0-9a-f]{64}$/.test(key)))
    throw new Error(
      `${file} is damaged: restore it from a backup; sealed texts cannot be decrypted without it`,
    );
  return keys.map((key) => Buffer.from(key, 'hex'));
}

function readKeys(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}

/** @returns the content of the file afterwards, which is another process's key if that process was faster */
async function makeKey(dataDir: string, file: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // Written to a temporary file first: a half-written key file would lock the database for good.
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(aside, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`);
    await handle.sync();
    // A link, unlike a rename, never replaces a key that is already in use.
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
 * Checks that SECRET_KEYS has every key that the database was used with, and stores a check value of the current key
 * (docs/operating/keys.md). Texts sealed under a missing key could not be decrypted.
 * @throws WrongSecretKeys
 */
export async function checkSecretKeys(db: Queryable, keyring: Keyring): Promise<void> {
  await refuseLackingKeys(db, keyring);
  const [first] = keyring.checks();
  await db.query(sql`
    insert into secret_check (key_id, value) values (${first!.id}, ${first!.value}) on conflict (key_id) do nothing`);
}

/** The same check, without storing the current key. @throws WrongSecretKeys */
export async function refuseLackingKeys(db: Queryable, keyring: Keyring): Promise<void> {
  const ours = new Map(keyring.checks().map((check) => [check.id, check.value]));
  const stored = await db.query<{ key_id: string; value: Buffer }>(
    sql`select key_id, value from secret_check`,
  );
  for (const { key_id: id, value } of stored) {
    if (!ours.get(id)?.equals(value)) {
      throw new WrongSecretKeys(
        'SECRET_KEYS lacks a key that sealed texts in this database: add it again (after the new one, when rotating)',
      );
    }
  }
}
