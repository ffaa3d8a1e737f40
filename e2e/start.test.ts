// Runs in the soak only.
import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { startChain } from '../testing/chain/anvil.ts';
import { Load } from '../testing/system/load.ts';
import { startRpcGate } from '../testing/chain/rpc-gate.ts';
import { refusal, type ServiceProcess, startService } from '../testing/system/service-process.ts';
import { postgresWorld, type Settings, useGround } from '../testing/system/world.ts';
import { newDataDir } from '../testing/database/embedded.ts';

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
