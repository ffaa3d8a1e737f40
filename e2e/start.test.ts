// Runs in the soak only.
import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { startChain } from '../testing/chain/anvil.ts';
import { Load } from '../testing/system/load.ts';
import { startRpcGate } from '../testing/chain/rpc-gate.ts';
import { newDatabase } from '../testing/database/postgres.ts';
import { lastingPort } from '../testing/machine/free-port.ts';
import { keepSecret } from '../testing/system/secrets.ts';
import { eventually } from '../testing/wait.ts';
import { refusal, type ServiceProcess, startService } from '../testing/system/service-process.ts';
import { postgresWorld, type Settings, useGround } from '../testing/system/world.ts';
import { newDataDir } from '../testing/database/embedded.ts';

const ground = useGround();

const refused = async (settings: Settings, message: RegExp): Promise<void> =>
  expect(await refusal(settings)).toEqual([expect.stringMatching(message)]);

test.concurrent('rejects a start with a used address, a different chain id, different SECRET_KEYS, a different chain, or a later schema', async () => {
  const { postgres, chain } = ground;
  const world = ground.keep(await postgresWorld({ postgres, chain }));
  const { settings } = world;
  await world.start();
  await refused(settings, /address already in use .*: set PORT to a free port$/);
  expect((await world.client.call('GET', '/readyz')).status).toBe(200);
  await world.service.stop();

  await refused({ ...settings, CHAIN_ID: '1' }, /chain 31337, not 1/);
  await refused({ ...settings, SECRET_KEYS: randomBytes(32).toString('hex') }, /SECRET_KEYS lacks a key/);
  const other = ground.keep(await startChain());
  await refused({ ...settings, CHAIN_RPC_URL: other.rpcUrl }, /belongs to genesis block/);
  await world.withDb((db) =>
    db.query(sql`insert into schema_migration (version, name, applied_at) values (999999, 'later', now())`),
  );
  await refused(settings, /schema version 999999/);
});

test.concurrent('does not print the address of an RPC endpoint that is down at the start', async () => {
  const gate = ground.keep(await startRpcGate(ground.chain.rpcUrl));
  const world = ground.keep(
    await postgresWorld({ postgres: ground.postgres, chain: ground.chain, rpcUrl: gate.url }),
  );
  await gate.close();
  const service = await world.start({}, { until: 'listening' });
  const readiness = await world.client.call('GET', '/readyz');
  expect(readiness.status).toBe(503);
  expect(readiness.text).not.toContain(new URL(gate.url).pathname.split('/').at(-1));
  await gate.open();
  expect(service.isRunning()).toBe(true);
  const load = new Load({ client: world.client, agents: await world.agents(1) });
  await load.etch();
  await audit(world, load);
});

test.concurrent.each([
  ['the chosen port', {}],
  ['BASE_URL if it is set, and does not listen on its port', { BASE_URL: 'http://svc.example.org:3000' }],
])('with PORT=0 writes URLs with %s', async (_, settings: { BASE_URL?: string }) => {
  const service = ground.keep(
    await startService({ PORT: '0', DATA_DIR: await newDataDir(), DEVNET_PORT: '0', ...settings }),
  );
  expect(['0', '3000']).not.toContain(new URL(service.url).port);
  const info = `${service.url}/.well-known/svc.json`;
  const facts: any = await (await fetch(info, { headers: { connection: 'close' } })).json();
  expect(facts.chain.rpc_url).toBe(`${settings.BASE_URL ?? service.url}/rpc`);
});

const PASSWORD = `word-${randomBytes(12).toString('hex')}`;
keepSecret('a password in a url', PASSWORD);

function newKey(name: string): string {
  const key = randomBytes(32).toString('hex');
  keepSecret(name, key);
  return key;
}

const logged = (service: ServiceProcess, wanted: RegExp): Promise<unknown> =>
  eventually(`the log says ${wanted}`, () => service.log().find(({ msg }) => wanted.test(msg)));

const warnings = (service: ServiceProcess): string[] =>
  service
    .log()
    .filter(({ level }) => level === 40)
    .map(({ msg }) => msg);

describe.concurrent('a start names the setting, the host and the cause', () => {
  test('of Redis, issuer, standby and chain that cannot be reached, and of a relayer without coin', async () => {
    const { postgres, chain } = ground;
    const nowhere = `127.0.0.1:${await lastingPort()}`;
    const DATABASE_READ_URL = `postgres://reader:${PASSWORD}@${nowhere}/lists`;
    const world = ground.keep(
      await postgresWorld(
        { postgres, chain },
        {
          REDIS_URL: `redis://:${PASSWORD}@${nowhere}`,
          IDENTITY_ISSUER: `http://${nowhere}`,
          DATABASE_READ_URL,
          RELAYER_PRIVATE_KEY: `0x${newKey('the key of a poor relayer')}`,
        },
      ),
    );
    const service = await world.start({}, { until: 'listening' });
    const refused = /nothing listens there, or a firewall rejects the connection \(ECONNREFUSED\)/.source;
    await logged(service, new RegExp(`^REDIS_URL: ${nowhere} cannot be used: ${refused}; `));
    const issuer = `^IDENTITY_ISSUER: people cannot sign in now: http://${nowhere} cannot be reached: `;
    await logged(service, new RegExp(issuer + refused));
    await logged(service, /^RELAYER_PRIVATE_KEY: its account 0x[0-9a-f]{40} has no coin on .*send coin to/i);
    await logged(service, /^setting: IDENTITY_CLIENT_ID is not set: .*people cannot sign in on the pages/);
    const standby = await eventually('the log says why the standby serves nothing', () =>
      service
        .log()
        .find(({ reason }) => typeof reason === 'string' && reason.startsWith('DATABASE_READ_URL: ')),
    );
    expect(standby.reason).toMatch(new RegExp(`${nowhere} cannot be reached: ${refused}`));
    // Public answers name no host.
    const ready = await (await fetch(`${world.url}/readyz`)).text();
    expect(ready).not.toContain(nowhere);
    await service.stop();

    const away = await world.start(
      {
        CHAIN_RPC_URL: `http://${nowhere}/${PASSWORD}`,
        RELAYER_PRIVATE_KEY: `0x${newKey('another relayer')}`,
      },
      { until: 'listening' },
    );
    await logged(
      away,
      new RegExp(`^CHAIN_RPC_URL: ${nowhere} cannot be reached \\(ECONNREFUSED\\): etches are accepted`),
    );
    expect(warnings(away).join('\n')).not.toContain('no coin');
    await away.stop();
  });

  test('of no problem when all settings work', async () => {
    const { postgres, chain } = ground;
    const world = ground.keep(
      await postgresWorld({ databaseUrl: await newDatabase(postgres), chain }, { NODE_ENV: 'production' }),
    );
    const service = await world.start();
    expect(warnings(service)).toEqual([
      expect.stringMatching(/^people cannot sign in, agents can: set IDENTITY_ISSUER/),
    ]);
  });
});
