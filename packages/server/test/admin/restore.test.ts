// Runs without a database.
import { randomBytes, randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { expect, it } from 'vitest';
import { createRevocationFile, revokeKey } from '../../src/accounts/key-store.ts';
import { migrate } from '../../src/db/migrate.ts';
import { openPglite } from '../../src/db/pglite.ts';
import { deleteSession } from '../../src/identity/web-session/store.ts';
import { createKeyring } from '../../src/platform/secrets/keyring.ts';
import { checkSecretKeys, generatedKeys } from '../../src/platform/secrets/secret-keys.ts';
import { readConfig } from '../../src/settings/read-config.ts';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { svcAdmin } from './support.ts';

const folder = newFolder('restore');
it('restores accounts and no session, keeps keys revoked that a newer ledger lists, and warns without one', async () => {
  const [before, after, blind] = ['one', 'two', 'three'].map((name) => join(folder, name));
  const keys = await generatedKeys(before!);
  const [id, lent, kept, cookie] = [randomUUID(), randomUUID(), randomUUID(), randomBytes(32)];
  const live = async (work: (db: Awaited<ReturnType<typeof openPglite>>) => Promise<unknown>) => {
    const db = await openPglite({ dataDir: join(before!, 'database') });
    try {
      await work(db);
    } finally {
      await db.close();
    }
  };
  await live(async (db) => {
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
  });
  const backup = join(folder, 'older');
  expect((await svcAdmin(readConfig({ DATA_DIR: before! }), 'backup', backup)).status).toBe(0);
  for (const kept of ['erasures.jsonl', 'revocations.jsonl'])
    expect(await readFile(join(backup, kept), 'utf8')).toBe('');
  const ledger = join(folder, 'newer.jsonl');
  await live(async (db) => {
    const at = '2026-03-04T05:06:07.089Z';
    await db.tx((tx) => revokeKey(tx, id, lent, at));
    await deleteSession(db, cookie, at);
    expect(await createRevocationFile(db, ledger)()).toBe(2);
  });

  const restore = (dataDir: string, ...more: string[]) =>
    svcAdmin(readConfig({ DATA_DIR: dataDir }), 'restore', backup, '--json', ...more);
  const erasures = join(folder, 'erasures.jsonl');
  await writeFile(erasures, '');
  const restored = await restore(after!, '--revocations', ledger, '--erasures', erasures);
  expect(restored.json.revocations).toEqual({ entries: 2, keys: 1, sessions: 1, refused: 0 });
  expect(restored.err).not.toContain('ledger newer than the backup');
  const without = await restore(blind!);
  expect(without).toMatchObject({ status: 0, json: { revocations: { keys: 0 } } });
  for (const kind of ['revocation', 'erasure'])
    expect(without.err).toContain(`no ${kind} ledger newer than the backup`);
  const active = async (dataDir: string) => {
    const db = await openPglite({ dataDir: join(dataDir, 'database') });
    expect(await db.query(sql`select username from account`)).toEqual([{ username: 'ada' }]);
    expect(await db.query(sql`select 1 from web_session`)).toEqual([]);
    const rows = await db.query<{ id: string }>(sql`select id from api_key where revoked_at is null`);
    await db.close();
    return rows.map((row) => row.id);
  };
  expect(await readFile(join(after!, 'secret-keys'))).toEqual(await readFile(join(before!, 'secret-keys')));
  expect(await active(after!)).toEqual([kept]);
  expect((await active(blind!)).sort()).toEqual([lent, kept].sort());
});
