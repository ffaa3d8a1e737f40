// Runs without a database.
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { expect, it } from 'vitest';
import { createRevocationFile, revokeKey } from '../../src/accounts/key-store.ts';
import type { Db } from '../../src/db/db.ts';
import { lockDirectory } from '../../src/db/directory-lock.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openPglite } from '../../src/db/pglite.ts';
import { deleteSession } from '../../src/identity/web-session/store.ts';
import { createKeyring } from '../../src/platform/secrets/keyring.ts';
import { checkSecretKeys, generatedKeys } from '../../src/platform/secrets/secret-keys.ts';
import { readConfig } from '../../src/settings/read-config.ts';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { svcAdmin } from './support.ts';

const folder = newFolder('restore');
it('restores accounts and no session, keeps keys revoked that a newer ledger lists, and warns without a newer ledger of erasures', async () => {
  const [before, after] = ['one', 'two'].map((name) => join(folder, name)) as [string, string];
  const keys = await generatedKeys(before);
  const [id, lent, kept, cookie] = [randomUUID(), randomUUID(), randomUUID(), randomBytes(32)];
  const live = async (dataDir: string, work: (db: Db) => Promise<unknown>) => {
    const db = await openPglite({ dataDir: join(dataDir, 'database') });
    try {
      await work(db);
    } finally {
      await db.close();
    }
  };
  await live(before, async (db) => {
    await migrate(db);
    await checkSecretKeys(db, createKeyring(keys));
    await db.query(sql`
      insert into account (id, kind, username, display_name, created_at) values (${id}, 'human', 'ada', 'Ada', now())`);
    for (const key of [lent, kept])
      await db.query(sql`
        insert into api_key (id, user_id, name, scope, prefix, hash, created_at)
        values (${key}, ${id}, 'k', 'write', 'svc_sk_', ${randomBytes(32)}, now())`);
    await db.query(sql`
      insert into web_session (hash, user_id, tokens, created_at, used_at)
      values (${cookie}, ${id}, ${randomBytes(64)}, now(), now())`);
    await db.query(sql`
      insert into issuer_grant (hash, grant_hash, payload, expires_at)
      values (${cookie}, ${cookie}, ${randomBytes(64)}, now() + interval '1 day')`);
  });
  const backup = join(folder, 'older');
  // A refused backup leaves nothing that makes the next one fail.
  const lock = await lockDirectory(join(before, 'database'));
  await expect(svcAdmin(readConfig({ DATA_DIR: before }), 'backup', backup)).rejects.toThrow('in use');
  await lock.release();
  expect(existsSync(backup)).toBe(false);
  expect((await svcAdmin(readConfig({ DATA_DIR: before }), 'backup', backup)).status).toBe(0);
  for (const kept of ['erasures.jsonl', 'revocations.jsonl'])
    expect(await readFile(join(backup, kept), 'utf8')).toBe('');
  const ledger = join(folder, 'newer.jsonl');
  await live(before, async (db) => {
    const at = '2026-03-04T05:06:07.089Z';
    await db.tx((tx) => revokeKey(tx, id, lent, at));
    await deleteSession(db, cookie, at);
    expect(await createRevocationFile(db, ledger)()).toBe(2);
  });

  const config = readConfig({ DATA_DIR: after });
  const restored = await svcAdmin(config, 'restore', backup, '--json', '--revocations', ledger);
  expect(restored.json.revocations).toEqual({ entries: 2, keys: 1, sessions: 1, refused: 0 });
  expect(restored.err).toContain('no erasure ledger newer than the backup');
  expect(restored.err).not.toContain('revocation ledger newer');
  await live(after, async (db) => {
    expect(await db.query(sql`select username from account`)).toEqual([{ username: 'ada' }]);
    expect(await db.query(sql`select 1 from web_session union all select 1 from issuer_grant`)).toEqual([]);
    expect(await db.column(sql`select id from api_key where revoked_at is null`)).toEqual([kept]);
  });
  expect(await readFile(join(after, 'secret-keys'))).toEqual(await readFile(join(before, 'secret-keys')));
});
