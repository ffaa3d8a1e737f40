import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readMigrations } from '../packages/server/src/db/migrate.ts';
import { VERSION } from '../packages/server/src/settings/version.ts';
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

  await service.stop();
  const again = await world.start();
  expect(again.log().filter(({ msg }) => msg.startsWith('migration '))).toEqual([]);
});
