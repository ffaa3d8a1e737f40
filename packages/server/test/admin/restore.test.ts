import { randomBytes, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { expect, it } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { openPglite } from '../../src/db/pglite.ts';
import { createKeyring } from '../../src/secrets/keyring.ts';
import { checkSecretKeys, generatedKeys } from '../../src/secrets/secret-keys.ts';
import { readConfig } from '../../src/settings/config.ts';
import { svcAdmin, useFolder } from './support.ts';

const folder = useFolder();

it('a restored service knows its accounts, and nobody is signed in on its pages who was when it was backed up', async () => {
  const [before, after] = [join(folder.path, 'before'), join(folder.path, 'after')];
  const keys = await generatedKeys(before);
  const db = await openPglite({ dataDir: join(before, 'database') });
  await migrate(db);
  await checkSecretKeys(db, createKeyring(keys));
  const id = randomUUID();
  await db.query(sql`
    insert into account (id, kind, username, display_name, created_at) values (${id}, 'human', 'ada', 'Ada', now())`);
  await db.query(sql`
    insert into web_session (hash, user_id, tokens, created_at, used_at)
    values (${randomBytes(32)}, ${id}, ${randomBytes(64)}, now(), now())`);
  await db.close();

  const backup = join(folder.path, 'backup');
  expect((await svcAdmin(readConfig({ DATA_DIR: before }), 'backup', backup)).status).toBe(0);
  expect((await svcAdmin(readConfig({ DATA_DIR: after }), 'restore', backup)).status).toBe(0);
  expect(await readFile(join(after, 'secret-keys'))).toEqual(await readFile(join(before, 'secret-keys')));
  const restored = await openPglite({ dataDir: join(after, 'database') });
  try {
    expect(await restored.query(sql`select username from account`)).toEqual([{ username: 'ada' }]);
    expect(await restored.query(sql`select 1 from web_session`)).toEqual([]);
  } finally {
    await restored.close();
  }
});
