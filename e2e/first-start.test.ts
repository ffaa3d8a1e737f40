import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMigrations } from '../packages/server/src/db/migrate.ts';
import { VERSION } from '../packages/server/src/settings/version.ts';
import { keepSecret } from '../testing/system/secrets.ts';
import { refusal } from '../testing/system/service-process.ts';
import { embeddedWorld, useGround } from '../testing/system/world.ts';

const ground = useGround();

test('logs its build and each migration at the first start, and answers the same build', async () => {
  const world = ground.keep(await embeddedWorld({}, { fromNothing: true }));
  const service = await world.start();
  const migrations = await readMigrations();
  const schema = migrations.at(-1)!.version;
  const { commit } = JSON.parse(
    readFileSync(new URL('../packages/server/dist/build.json', import.meta.url), 'utf8'),
  ) as { commit: string };
  expect(commit).toMatch(/^[0-9a-f]{40}(-dirty)?$/);

  const log = service.log();
  expect(log.find(({ msg }) => msg === 'commitment service')).toMatchObject({
    version: VERSION,
    commit,
    schema,
  });
  const applied = log.map(({ msg }) => msg).filter((msg) => msg.startsWith('migration '));
  expect(applied).toEqual(
    migrations.map(({ name, version }) => `migration ${name} applied: the schema is ${version}`),
  );

  const get = async (path: string) =>
    (await fetch(world.url + path, { headers: { accept: 'application/json' } })).text();
  const build = { version: VERSION, commit, schema };
  expect(JSON.parse(await get('/healthz'))).toEqual({ status: 'ok', ...build });
  expect(JSON.parse(await get('/status'))).toMatchObject(build);
  expect(await get('/metrics')).toContain(
    `svc_build_info{version="${VERSION}",commit="${commit}",schema="${schema}"} 1`,
  );

  for (const ledger of ['erasures.jsonl', 'revocations.jsonl'])
    expect(readFileSync(join(world.settings['DATA_DIR']!, ledger), 'utf8')).toBe('');

  expect(await refusal({ ...world.settings, PORT: '0' })).toEqual([
    expect.stringContaining('in use by another process'),
  ]);
  expect((await world.client.call('GET', '/readyz')).status).toBe(200);
  await service.stop();
  const again = await world.start();
  expect(again.log().filter(({ msg }) => msg.startsWith('migration '))).toEqual([]);
});

// packages/server/test/settings has every rejected value.
test('ends with one message for each unusable setting, and repeats no value', async () => {
  const KEY = randomBytes(32).toString('hex');
  keepSecret('a key among bad settings', KEY);
  const bad = {
    PORT: 'x',
    LIMIT_KEY_PER_MINUTE: 'many',
    DATABASE_URL: `mysql://root:${KEY}@localhost/x`,
    SECRET_KEYS: KEY.slice(1),
  };
  const said = await refusal(bad);
  expect(said).toHaveLength(4);
  for (const name of Object.keys(bad)) expect(said.filter((line) => line.includes(name))).toHaveLength(1);
});
