// Runs in the soak only.
import { randomBytes } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { allAnchored, vouchedFor } from '../testing/system/settled.ts';
import { startChain } from '../testing/chain/anvil.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { Load } from '../testing/system/load.ts';
import { startRpcGate } from '../testing/chain/rpc-gate.ts';
import { refusal, type ServiceProcess, startService } from '../testing/system/service-process.ts';
import {
  embeddedWorld,
  postgresWorld,
  type Settings,
  useGround,
  type World,
} from '../testing/system/world.ts';
import { newDataDir } from '../testing/database/embedded.ts';
import { newDatabase } from '../testing/database/postgres.ts';

const ground = useGround();

describe.concurrent('rejects a start', () => {
  const refused = async (settings: Settings, message: RegExp): Promise<void> =>
    expect(await refusal(settings)).toEqual([expect.stringMatching(message)]);

  test('with a used address, a different chain id, different SECRET_KEYS, a different chain, or a later schema', async () => {
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
});

describe.concurrent('catches up a devnet that lost', () => {
  const etches = async (world: World, load?: Load): Promise<Load> => {
    const some = load ?? new Load({ client: world.client, agents: await world.agents(2) });
    const first = await some.etch({ mode: 'instant', reveal_at: null });
    await some.etch();
    await some.retract(first);
    await allAnchored(world, some.wanted);
    return some;
  };
  const devnetOf = (world: World): string => join(world.settings['DATA_DIR']!, 'devnet');

  test('its last seconds, then its state, then its folder with the relayer’s key', async () => {
    const databaseUrl = await newDatabase(ground.postgres);
    const world = ground.keep(
      await embeddedWorld({ DATABASE_URL: databaseUrl, SECRET_KEYS: randomBytes(32).toString('hex') }),
    );
    await world.start();
    const load = await etches(world);
    await world.service.stop();
    const older = newFolder('state');
    await cp(join(devnetOf(world), 'state.json.gz'), join(older, 'state.json.gz'));
    await world.start();
    await etches(world, load);
    await world.service.stop();

    await cp(join(older, 'state.json.gz'), join(devnetOf(world), 'state.json.gz'));
    await world.start();
    await vouchedFor(world, load.wanted);
    await etches(world, load);
    await world.service.stop();

    await rm(join(devnetOf(world), 'state.json.gz'));
    await world.start();
    await vouchedFor(world, load.wanted);
    await etches(world, load);
    await world.service.stop();

    await rm(devnetOf(world), { recursive: true });
    await world.start();
    await etches(world, load);
    await audit(world, load);
  });
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

describe.concurrent('with PORT=0', () => {
  const urlOf = async (service: ServiceProcess): Promise<string> => {
    const facts: any = await (
      await fetch(`${service.url}/.well-known/svc.json`, { headers: { connection: 'close' } })
    ).json();
    return facts.chain.rpc_url;
  };

  test('writes URLs with the chosen port', async () => {
    const service = ground.keep(
      await startService({ PORT: '0', DATA_DIR: await newDataDir(), DEVNET_PORT: '0' }),
    );
    expect(new URL(service.url).port).not.toBe('0');
    expect(await urlOf(service)).toBe(`${service.url}/rpc`);
  });

  test('writes URLs of BASE_URL if it is set, and does not listen on its port', async () => {
    const BASE_URL = 'http://svc.example.org:3000';
    const service = ground.keep(
      await startService({ PORT: '0', BASE_URL, DATA_DIR: await newDataDir(), DEVNET_PORT: '0' }),
    );
    expect(new URL(service.url).port).not.toBe('3000');
    expect(await urlOf(service)).toBe(`${BASE_URL}/rpc`);
  });
});
