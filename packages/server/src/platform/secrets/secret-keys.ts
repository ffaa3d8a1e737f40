import { randomBytes } from 'node:crypto';
import { link, mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import type { Queryable } from '../../db/db.ts';
import { readIfPresent } from '../../db/files.ts';
import type { Keyring } from './keyring.ts';

export async function generatedKeys(dataDir: string): Promise<Buffer[]> {
  const file = join(dataDir, 'secret-keys');
  const found = (await readIfPresent(file)) ?? (await makeKey(dataDir, file));
  const keys = found.trim().split(',');
  if (keys.some((key) => !/^[0-9a-f]{64}$/.test(key)))
    throw new Error(
      `${file} is damaged: restore it from a backup; sealed texts cannot be decrypted without it`,
    );
  return keys.map((key) => Buffer.from(key, 'hex'));
}

/** @returns the file's content, which may be a different process's key */
async function makeKey(dataDir: string, file: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  // A half-written key file would lock the database for good.
  const aside = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(aside, 'wx', 0o600);
  try {
    await handle.writeFile(`${randomBytes(32).toString('hex')}\n`);
    await handle.sync();
    // Unlike a rename, a link never replaces a key in use.
    await link(aside, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  } finally {
    await handle.close();
    await unlink(aside);
  }
  return (await readIfPresent(file)) ?? '';
}

export class WrongSecretKeys extends Error {
  override name = 'WrongSecretKeys';
}

/** docs/operating/keys.md. Also stores a check value of the current key. */
export async function checkSecretKeys(db: Queryable, keyring: Keyring): Promise<void> {
  await refuseLackingKeys(db, keyring);
  const [first] = keyring.checks();
  await db.query(sql`
    insert into secret_check (key_id, value) values (${first!.id}, ${first!.value}) on conflict (key_id) do nothing`);
}

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
