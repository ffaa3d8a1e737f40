import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { privateKeyToAddress } from 'viem/accounts';
import { afterAll, beforeAll, expect } from 'vitest';
import type { Db } from '../../packages/server/src/db/db.ts';
import { openPglite } from '../../packages/server/src/db/pglite.ts';
import { openPostgres } from '../../packages/server/src/db/postgres.ts';
import { postgresUrl } from '../../packages/server/src/settings/values.ts';
import { registerAgent, type TestAgent } from '../clients/agents.ts';
import { type ChainOptions, startChain, type TestChain } from '../chain/anvil.ts';
import { startTestDevnet } from '../chain/devnet.ts';
import type { Relayer } from '../chain/node.ts';
import { Client } from '../clients/client.ts';
import { newFolder } from '../machine/folder.ts';
import { lastingPort } from '../machine/free-port.ts';
import { newDataDir } from '../database/embedded.ts';
import { newDatabase, type PostgresServer, sharedPostgres } from '../database/postgres.ts';
import { findLeaks, keepSecret } from './secrets.ts';
import { type ServiceProcess, startService, type StartOptions } from './service-process.ts';
import type { LedgerChain } from '../chain/attestations.ts';

// The database is open briefly, so optimized code costs more than it saves.
setFlagsFromString('--liftoff-only');

export type Settings = Record<string, string>;

/** Etches per agent and day: enough for a load, with a refill slow enough to count spent allowance. */
export const PER_DAY = 50_000;

const LIMITS: Settings = {
  LIMIT_KEY_PER_MINUTE: '100000000',
  LIMIT_ANON_PER_MINUTE: '100000000',
  LIMIT_RPC_PER_MINUTE: '100000000',
  LIMIT_REGISTRATIONS_PER_HOUR: '1000000',
  LIMIT_ETCHES_KEYPAIR: String(PER_DAY),
  ANCHOR_INTERVAL_SECONDS: '1',
};

export interface World {
  readonly settings: Settings;
  readonly url: string;
  readonly client: Client;
  readonly service: ServiceProcess;
  start(settings?: Settings, options?: StartOptions): Promise<ServiceProcess>;
  agents(count: number): Promise<TestAgent[]>;
  /** An embedded database opens only while no service runs. */
  withDb<T>(work: (db: Db) => Promise<T>): Promise<T>;
  /** An embedded chain opens only while no service runs. */
  withChain<T>(work: (chain: LedgerChain) => Promise<T>): Promise<T>;
  close(): Promise<void>;
}

/** With `fromNothing` the service makes the database too, which takes seconds. */
export async function embeddedWorld(settings: Settings = {}, { fromNothing = false } = {}): Promise<World> {
  const { DATABASE_URL: url, SECRET_KEYS: keys } = settings;
  const dataDir = fromNothing || url ? join(newFolder('data'), 'data') : await newDataDir();
  if (keys) keepSecret('SECRET_KEYS', keys);
  return makeWorld({
    settings: { ...LIMITS, DATA_DIR: dataDir, DEVNET_PORT: '0', ...settings },
    async withDb(work) {
      if (url) return closing(Promise.resolve(openPostgres({ url, poolSize: 3 })), work);
      keepSecret('the generated SECRET_KEYS', (await readFile(join(dataDir, 'secret-keys'), 'utf8')).trim());
      return closing(openPglite({ dataDir: join(dataDir, 'database') }), work);
    },
    async withChain(work) {
      const devnet = await startTestDevnet({ dataDir });
      try {
        const { rpcUrl, chainId, contract, schemaUid, relayerPrivateKey } = devnet;
        keepSecret('the relayer key', relayerPrivateKey.slice(2));
        const relayer = privateKeyToAddress(relayerPrivateKey);
        return await work({ rpcUrl, chainId, contract, schemaUid, relayer });
      } finally {
        await devnet.stop();
      }
    },
  });
}

export async function postgresWorld(
  parts: { chain: TestChain; rpcUrl?: string; relayer?: Relayer } & (
    | { postgres: PostgresServer }
    | { databaseUrl: string }
  ),
  settings: Settings = {},
): Promise<World> {
  const { chain } = parts;
  const databaseUrl = 'databaseUrl' in parts ? parts.databaseUrl : await newDatabase(parts.postgres);
  const { url, pooler } = postgresUrl(databaseUrl);
  const relayer = parts.relayer ?? (await chain.newRelayer());
  const keys = randomBytes(32).toString('hex');
  keepSecret('SECRET_KEYS', keys);
  return makeWorld({
    settings: {
      ...LIMITS,
      DATA_DIR: newFolder('data'),
      DATABASE_URL: databaseUrl,
      SECRET_KEYS: keys,
      ...chainSettings(chain, relayer, parts.rpcUrl),
      ...settings,
    },
    withDb: (work) =>
      closing(Promise.resolve(openPostgres({ url, poolSize: 3, pooler: pooler ?? 'none' })), work),
    withChain: (work) => work({ ...chain, relayer: relayer.address }),
  });
}

async function makeWorld(made: Pick<World, 'settings' | 'withDb' | 'withChain'>): Promise<World> {
  const port = await lastingPort();
  const url = `http://127.0.0.1:${port}`;
  const client = new Client(url);
  const started: ServiceProcess[] = [];
  return {
    ...made,
    settings: { PORT: String(port), ...made.settings },
    url,
    client,
    get service() {
      return started.at(-1)!;
    },
    async start(settings = {}, options) {
      const service = await startService(
        { PORT: String(port), ...made.settings, ...settings },
        { beforeStop: () => client.rest(), ...options },
      );
      started.push(service);
      return service;
    },
    agents: (count) => Promise.all(Array.from({ length: count }, () => registerAgent(client))),
    async close() {
      client.close();
      for (const service of started) if (service.isRunning()) await service.kill9();
    },
  };
}

async function closing<D extends Db, T>(opening: Promise<D>, work: (db: D) => Promise<T>): Promise<T> {
  const db = await opening;
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

/** The file ends with a check that no secret was printed. */
export interface Ground {
  /** later files share it: a test that kills a server starts its own */
  readonly postgres: PostgresServer;
  readonly chain: TestChain;
  keep<T extends { close(): Promise<void> } | { stop(): Promise<unknown> }>(part: T): T;
}

export function useGround({
  postgres = true,
  chain = true,
}: { postgres?: boolean; chain?: boolean | ChainOptions } = {}): Ground {
  const parts: { postgres?: PostgresServer; chain?: TestChain } = {};
  const kept: ({ close(): Promise<void> } | { stop(): Promise<unknown> })[] = [];
  beforeAll(async () => {
    const [database, node] = await Promise.all([
      postgres ? sharedPostgres() : undefined,
      chain ? startChain(chain === true ? {} : chain) : undefined,
    ]);
    if (database) parts.postgres = database;
    if (node) parts.chain = node;
  });
  afterAll(async () => {
    for (const part of kept.reverse()) await ('close' in part ? part.close() : part.stop());
    await parts.chain?.stop();
    const { characters, leaks } = findLeaks();
    expect(leaks, 'secrets in what the processes printed').toEqual([]);
    expect(characters, 'what the processes printed').toBeGreaterThan(0);
  });
  return {
    get postgres() {
      return parts.postgres!;
    },
    get chain() {
      return parts.chain!;
    },
    keep: (part) => (kept.push(part), part),
  };
}

function chainSettings(chain: TestChain, relayer: Relayer, rpcUrl = chain.rpcUrl): Settings {
  return {
    CHAIN_RPC_URL: rpcUrl,
    CHAIN_ID: String(chain.chainId),
    ATTESTATION_CONTRACT: chain.contract,
    SCHEMA_UID: chain.schemaUid,
    RELAYER_PRIVATE_KEY: relayer.key,
    ANCHOR_CONFIRMATIONS: '1',
  };
}
