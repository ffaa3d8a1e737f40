import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { inspect } from 'node:util';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { type Anchoring } from '../../packages/server/src/anchoring/index.ts';
import { attestationReader, cachedReader } from '../../packages/server/src/chain/attestation-reader.ts';
import { openChainClient } from '../../packages/server/src/chain/client.ts';
import type { Devnet } from '../../packages/server/src/chain/devnet/devnet.ts';
import type { Chain } from '../../packages/server/src/chain/port.ts';
import type { GuardedOptions } from '../../packages/server/src/platform/outgoing/guarded-request.ts';
import { createKeyring, type Keyring } from '../../packages/server/src/platform/secrets/keyring.ts';
import { type Assembled, assemble } from '../../packages/server/src/service/assemble.ts';
import { listFormerChains } from '../../packages/server/src/etches/store.ts';
import type { ServiceDependencies } from '../../packages/server/src/service/modules.ts';
import type { Config } from '../../packages/server/src/settings/config.ts';
import { readConfig } from '../../packages/server/src/settings/read-config.ts';
import type { Standby } from '../../packages/server/src/platform/standby/standby.ts';
import { openSearchPool } from '../../packages/server/src/service/connections.ts';
import { witnessKinds } from '../../packages/server/src/proofs/witnesses/timestamps.ts';
import { type Acts, actsOn } from './acts.ts';
import type { Rules } from '../../packages/server/src/anchoring/rules.ts';
import { startAnchoring } from './anchoring.ts';
import { devnetChain, noChain, startTestDevnet } from '../chain/devnet.ts';
import { testClock, type TestClock } from './clock.ts';
import { withOutage } from './outage.ts';
import {
  POOLER,
  type TestDatabase,
  testDatabase,
  type TestDatabaseOptions,
} from '../database/test-database.ts';
import { newFolder } from '../machine/folder.ts';
import { lastingPort } from '../machine/free-port.ts';

export interface TestServiceOptions {
  /** added to the raised limits */
  settings?: Record<string, string>;
  chain?: boolean;
  domainCheck?: Partial<GuardedOptions>;
  parts?: Partial<ServiceDependencies>;
  database?: TestDatabaseOptions;
  standby?: (parts: { db: TestDatabase; clock: TestClock }) => Standby;
}

export interface TestService extends Acts {
  readonly config: Config;
  readonly baseUrl: string;
  readonly db: TestDatabase;
  readonly keyring: Keyring;
  readonly log: string[];
  readonly assembled: Assembled;
  readonly chain: Chain;
  readonly devnet: Devnet;
  readonly clock: TestClock;
  /** the service loses its database; the test still reaches it */
  readonly outage: { on: boolean };
  anchor(scheme?: Rules['scheme']): Promise<void>;
  runTask(name: string): Promise<void>;
}

export function useService(
  options: TestServiceOptions | (() => Promise<TestServiceOptions>) = {},
): TestService {
  let started: Awaited<ReturnType<typeof startTestService>> | undefined;
  beforeAll(async () => {
    started = await startTestService(typeof options === 'function' ? await options() : options);
  });
  afterAll(async () => {
    await started?.close();
  });
  return new Proxy({} as TestService, {
    get: (_, name) => {
      if (!started) throw new Error('the service starts in beforeAll: use it in tests and hooks only');
      return Reflect.get(started.service, name) as unknown;
    },
  });
}

const LIMITS = ['KEY_PER_MINUTE', 'ANON_PER_MINUTE', 'REGISTRATIONS_PER_HOUR', 'ETCHES_KEYPAIR'];
const NO_LIMITS = Object.fromEntries(LIMITS.map((name) => [`LIMIT_${name}`, '1000000']));

export async function startTestService(
  options: TestServiceOptions = {},
): Promise<{ service: TestService; close: () => Promise<void> }> {
  const port = await lastingPort();
  const folders = { DATA_DIR: tmpdir(), LEDGER_DIR: newFolder('ledgers') };
  const config = readConfig({ ...NO_LIMITS, PORT: String(port), ...folders, ...options.settings });
  const baseUrl = config.baseUrl!;
  const db = await testDatabase(options.database);
  const outage = { on: false };
  // The running service uses the same pool.
  const secrets = { ...config.secrets, databaseUrl: db.url };
  const searchDb = openSearchPool({ ...config, databasePooler: POOLER, secrets });
  const keyring = createKeyring([randomBytes(32)]);
  const log: string[] = [];
  const clock = testClock();
  const devnet = options.chain ? await startTestDevnet() : undefined;
  const logger = pino({ level: 'debug' }, { write: (line: string) => void log.push(line) });
  const chain = devnet ? devnetChain(devnet) : noChain();
  const urls = [devnet?.rpcUrl ?? 'http://127.0.0.1:9'];
  const { readers, background } = openChainClient({ urls, chainId: 31337 });
  const assembled = assemble({
    config,
    baseUrl,
    db: withOutage(db, outage),
    apart: { search: searchDb, maintenance: undefined },
    clock,
    keyring,
    log: logger,
    chain: {
      port: chain,
      facts: {
        name: chain.name,
        contract: chain.contract,
        schemaUid: chain.schemaUid,
        relayer: chain.relayer,
        embedded: true,
        publicRpcUrl: `${baseUrl}/rpc`,
        relayers: async () => [chain.relayer],
        chainId: async () => 31337,
        former: () => listFormerChains(db),
      },
      reader: cachedReader(attestationReader(readers), 0),
      rpc: readers,
      background,
    },
    readiness: [],
    ...(options.domainCheck && { test: { guard: options.domainCheck } }),
    ...options.parts,
    ...(options.standby && { standby: options.standby({ db, clock }) }),
  });
  await assembled.app.listen({ host: '127.0.0.1', port });
  const anchorings: Partial<Record<Rules['scheme'], Promise<Anchoring>>> = {};
  const { acts, close } = actsOn(baseUrl, clock);

  const service: TestService = {
    ...acts,
    config,
    baseUrl,
    db,
    keyring,
    log,
    assembled,
    chain,
    clock,
    outage,
    get devnet() {
      if (!devnet) throw new Error('this service has no chain: useService({ chain: true })');
      return devnet;
    },
    async anchor(scheme = 'tree-v2') {
      const parts = [db, chain, keyring, logger, witnessKinds(config)] as const;
      const anchoring = await (anchorings[scheme] ??= startAnchoring(...parts, scheme));
      for (let round = 0; round < 200; round++) {
        await anchoring.tick();
        if ((await anchoring.status()).pending === 0) return;
      }
      throw new Error(`not anchored: ${inspect(await anchoring.status())}`);
    },
    async runTask(name) {
      const task = assembled.tasks.find((candidate) => candidate.name === name);
      if (!task) throw new Error(`no task ${name}`);
      await task.run();
    },
  };
  return {
    service,
    async close() {
      await assembled.app.close();
      close();
      await searchDb?.close();
      await db.close();
      await devnet?.stop();
    },
  };
}
