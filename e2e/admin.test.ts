// Runs in the soak only.
import { randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { allAnchored, fetchReceipts, vouchedFor } from '../testing/system/settled.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { Load } from '../testing/system/load.ts';
import { newDatabase } from '../testing/database/postgres.ts';
import { svcAdmin } from '../testing/system/svc-admin.ts';
import { eventually } from '../testing/wait.ts';
import { embeddedWorld, postgresWorld, useGround, type World } from '../testing/system/world.ts';
import { ends } from '../testing/clients/ends.ts';

const ground = useGround();

/** A text that must be in the database only in its own rows. */
const newCanary = (): string => `erased-${randomUUID()}`;

function holds(world: World, canary: string): Promise<boolean> {
  return world.withDb(async (db) => {
    const like = `%${canary}%`;
    const rows = await db.query(sql`
      select 1 from etch where content like ${like} union all select 1 from etch_search where text like ${like}`);
    return rows.length > 0;
  });
}

// Cheaper tests: the server's admin and anchoring/older-database, and operating.test.ts.
test.concurrent('checks and exports a running service and imports everything elsewhere unchanged', async () => {
  const { postgres, chain } = ground;
  const relayer = await chain.newRelayer();
  const first = ground.keep(await postgresWorld({ postgres, chain, relayer }));
  await first.start();
  const agents = await first.agents(2);
  const load = new Load({ client: first.client, agents, delayed: 40 });
  const sealed = newCanary();
  await load.etch({
    content: sealed,
    mode: 'delayed',
    reveal_at: new Date(Date.now() + 3_600_000).toISOString(),
  });
  for (let count = 0; count < 12; count++) await load.etch();
  await load.retract(load.wanted[4]!);
  await allAnchored(first, load.wanted);
  const { settings } = first;

  const official = await svcAdmin(settings, 'accounts', 'official', agents[0]!.username, 'on', '--json');
  expect(official).toMatchObject({ status: 0, json: { official: true, changed: true } });
  await eventually('readers see that the account is official', async () => {
    const { body } = await first.client.call('GET', `/api/v1/users/${agents[0]!.username}/etches`);
    return body.user.official;
  });
  const shown = await svcAdmin(settings, 'accounts', 'show', agents[0]!.username, '--json');
  expect(shown.json.account).toMatchObject({ user_id: agents[0]!.userId, official: true });
  await ends(svcAdmin(settings, 'accounts', 'show', 'nobody_here'), 66, { out: '' });

  expect((await svcAdmin(settings, 'fsck', '--json')).json).toMatchObject({
    ok: true,
    checked: { etches: 13 },
  });
  const checked = await svcAdmin(settings, 'chain', 'check', '--json');
  expect(checked, checked.out).toMatchObject({ status: 0, json: { ok: true } });
  expect(await svcAdmin(settings, 're-anchor')).toMatchObject({ status: 0 });
  expect(await svcAdmin(settings, 'chain', 'release')).toMatchObject({ status: 0 });

  const file = join(newFolder('archive'), 'service.tar.gz');
  const exported = await svcAdmin(settings, 'export', file, '--json');
  expect(exported, exported.err).toMatchObject({ status: 0, json: { counts: { etches: 13 } } });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(gunzipSync(readFileSync(file)).includes(sealed)).toBe(false);
  const receipts = await fetchReceipts(first.client, load.wanted);
  await first.service.stop();

  const target = { BASE_URL: first.url, SECRET_KEYS: settings['SECRET_KEYS']! };
  for (const engine of ['embedded', 'postgres'] as const) {
    const world = ground.keep(await postgresWorld({ postgres, chain, relayer }, target));
    const moved = { ...world.settings };
    if (engine === 'embedded') delete (moved as Record<string, string | undefined>)['DATABASE_URL'];
    const imported = await svcAdmin(moved, 'import', file, '--json');
    expect(imported, imported.err + imported.out).toMatchObject({
      status: 0,
      json: { ok: true, receipts: 13 },
    });
    expect(await svcAdmin(moved, 'import', file)).toMatchObject({ status: 1 });
    await world.start(engine === 'embedded' ? { DATABASE_URL: '' } : {});
    expect(await fetchReceipts(world.client, load.wanted)).toEqual(receipts);
    await vouchedFor(world, load.wanted);
    const { body } = await world.client.call('GET', `/api/v1/etches/${load.wanted[3]!.id}`);
    const byCode = await world.client.call('GET', `/e/${body.etch.code}`, {
      headers: { accept: 'application/json' },
    });
    expect(byCode.body.etch.id).toBe(load.wanted[3]!.id);
    if (engine === 'embedded') {
      await world.service.stop();
      continue;
    }
    const more = new Load({ client: world.client, agents, delayed: 0 });
    load.wanted.push(await more.etch());
    await audit(world, load);
  }
});

test.concurrent('restores an older backup under a newer chain without double attestations or retracted texts', async () => {
  const { postgres, chain } = ground;
  const relayer = await chain.newRelayer();
  const first = ground.keep(
    await postgresWorld({ postgres, chain, relayer }, { ANCHOR_INTERVAL_SECONDS: '3600' }),
  );
  await first.start();
  const agents = await first.agents(2);
  const load = new Load({ client: first.client, agents, delayed: 30 });
  const canary = newCanary();
  const regretted = await load.etch({ content: canary, mode: 'instant', reveal_at: null });
  for (let count = 0; count < 9; count++) await load.etch();
  const { key } = agents[0]!;
  const lent = await first.client.call('POST', '/api/v1/me/keys', { body: { name: 'lent' }, key });
  const folder = join(newFolder('backup'), 'monday');
  const backup = await svcAdmin(first.settings, 'backup', folder, '--json');
  expect(backup, backup.err).toMatchObject({ status: 0, json: { engine: 'postgres', secrets: null } });
  await first.service.stop();

  await first.start({ ANCHOR_INTERVAL_SECONDS: '1' });
  await allAnchored(first, load.wanted);
  await load.retract(regretted);
  const path = `/api/v1/me/keys/${lent.body.key.id}`;
  expect(await first.client.call('DELETE', path, { key })).toMatchObject({ status: 200 });
  await allAnchored(first, load.wanted);
  const receipts = await fetchReceipts(first.client, load.wanted);
  await first.service.stop();
  const ledger = join(first.settings['DATA_DIR']!, 'erasures.jsonl');
  expect(readFileSync(ledger, 'utf8')).toContain(regretted.id!);
  expect(readFileSync(ledger, 'utf8')).not.toContain(canary);

  const second = ground.keep(
    await postgresWorld(
      { chain, relayer, databaseUrl: await newDatabase(postgres) },
      { SECRET_KEYS: first.settings['SECRET_KEYS']!, BASE_URL: first.url },
    ),
  );
  const revoked = join(first.settings['DATA_DIR']!, 'revocations.jsonl');
  const ledgers = ['--erasures', ledger, '--revocations', revoked];
  const restored = await svcAdmin(second.settings, 'restore', folder, ...ledgers, '--json');
  expect(restored, restored.err).toMatchObject({
    status: 0,
    json: { erasures: { erased: 1, refused: 0 }, revocations: { keys: 1, refused: 0 } },
  });
  expect(await holds(second, canary)).toBe(false);
  expect((await svcAdmin(second.settings, 'fsck')).status).toBe(0);
  await second.start();
  await allAnchored(second, load.wanted);
  expect(await fetchReceipts(second.client, load.wanted)).toEqual(receipts);
  const { body } = await second.client.call('GET', `/api/v1/etches/${regretted.id}`);
  expect(body.etch).toMatchObject({ status: 'retracted', content: null, salt: null });
  const me = async (by: string) => (await second.client.call('GET', '/api/v1/me', { key: by })).status;
  expect([await me(lent.body.api_key), await me(key)]).toEqual([401, 200]);
  await audit(second, load);
});

test.concurrent('restores an embedded service elsewhere with its chain and keys', async () => {
  const first = ground.keep(await embeddedWorld());
  await first.start();
  const load = new Load({ client: first.client, agents: await first.agents(1), delayed: 30 });
  const canary = newCanary();
  const regretted = await load.etch({ content: canary, mode: 'instant', reveal_at: null });
  for (let count = 0; count < 5; count++) await load.etch();
  await allAnchored(first, load.wanted);
  await ends(svcAdmin(first.settings, 'fsck'), 69, { err: 'stop the service first' });
  await first.service.stop();

  const folder = join(newFolder('backup'), 'monday');
  const backup = await svcAdmin(first.settings, 'backup', folder, '--json');
  expect(backup, backup.err).toMatchObject({ status: 0, json: { engine: 'pglite', devnet: true } });
  const secrets = `${folder}.secrets.json`;
  for (const file of [secrets, join(folder, 'data.tar.gz'), join(folder, 'backup.json')])
    expect(statSync(file).mode & 0o777).toBe(0o600);
  const key = readFileSync(join(first.settings['DATA_DIR']!, 'secret-keys'), 'utf8').trim();
  expect(gunzipSync(readFileSync(join(folder, 'data.tar.gz'))).includes(key)).toBe(false);

  await first.start();
  await load.retract(regretted);
  await first.service.stop();
  const ledger = join(first.settings['DATA_DIR']!, 'erasures.jsonl');

  const dataDir = join(newFolder('data'), 'data');
  const second = ground.keep(
    await embeddedWorld({ DATA_DIR: dataDir, BASE_URL: first.url }, { fromNothing: true }),
  );
  const restored = await svcAdmin(second.settings, 'restore', folder, '--erasures', ledger, '--json');
  expect(restored, restored.err).toMatchObject({ status: 0, json: { erasures: { erased: 1 } } });
  expect((await svcAdmin(second.settings, 'restore', folder)).status).toBe(1);
  await second.start();
  await vouchedFor(second, load.wanted);
  const { body } = await second.client.call('GET', `/api/v1/etches/${regretted.id}`);
  expect(body.etch).toMatchObject({ status: 'retracted', content: null });
  await second.service.stop();
  const found = await svcAdmin(second.settings, 'fsck', '--json');
  expect(found.json.faults).toEqual([]);
  expect((await svcAdmin(second.settings, 'chain', 'check')).status).toBe(0);
});
