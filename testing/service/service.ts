import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, expect } from 'vitest';
import { type Anchoring } from '../../packages/server/src/anchoring/index.ts';
import { attestationReader } from '../../packages/server/src/chain/attestation-reader.ts';
import { cachedReader } from '../../packages/server/src/chain/cached-reader.ts';
import { openChainClient } from '../../packages/server/src/chain/client.ts';
import { type Devnet, startDevnet } from '../../packages/server/src/chain/devnet/devnet.ts';
import type { Chain } from '../../packages/server/src/chain/port.ts';
import type { GuardedOptions } from '../../packages/server/src/outgoing/guarded-request.ts';
import { createKeyring, type Keyring } from '../../packages/server/src/secrets/keyring.ts';
import { type Assembled, assemble } from '../../packages/server/src/service/assemble.ts';
import type { Parts } from '../../packages/server/src/service/parts.ts';
import { type Config, readConfig } from '../../packages/server/src/settings/config.ts';
import { openSearchPool } from '../../packages/server/src/start/database.ts';
import { freePort } from '../../packages/server/src/start/free-port.ts';
import { newAgentKeys } from '../agent-keys.ts';
import { startAnchoring } from './anchoring.ts';
import { devnetChain, noChain } from './chains.ts';
import { testClock, type TestClock } from './clock.ts';
import { contractProblem } from './contract-check.ts';
import { withOutage } from './outage.ts';
import { type TestDatabase, testDatabase } from '../database/test-database.ts';
import { httpClient } from './http-client.ts';

export interface Answer {
  status: number;
  headers: Headers;
  body: any;
  text: string;
}

interface CallOptions {
  key?: string | undefined;
  headers?: Record<string, string>;
  /** sent as it is, instead of `body` as JSON */
  raw?: string | Uint8Array;
}

export interface TestAgent {
  userId: string;
  username: string;
  publicKey: string;
  key: string;
  /** Ed25519 over the UTF-8 bytes, hex */
  sign: (message: string) => string;
}

/** A person, signed in at the embedded issuer. */
export interface TestPerson {
  userId: string;
  username: string;
  /** a session token */
  token: string;
  /** the same, where an agent would have its key */
  key: string;
}

export interface TestServiceOptions {
  /** settings beside the tests' own (limits that do not stand in the way) */
  settings?: Record<string, string>;
  /** a real anvil with the real contracts, and anchoring by `anchor()` */
  chain?: boolean;
  /** what the domain check trusts beyond the settings */
  domainCheck?: Partial<GuardedOptions>;
  /** parts of the test's own */
  parts?: Partial<Parts>;
}

/** A whole service over real HTTP and a database of its own; its clock is the test's. */
export interface TestService {
  readonly config: Config;
  readonly baseUrl: string;
  readonly db: TestDatabase;
  readonly keyring: Keyring;
  readonly log: string[];
  readonly assembled: Assembled;
  readonly chain: Chain;
  readonly devnet: Devnet;
  readonly clock: TestClock;
  /** while `on`, the service cannot reach its database (the test still can) */
  readonly outage: { on: boolean };
  /** A request below the base url; the answer is held against the contract. */
  call(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answer>;
  registerAgent(options?: { displayName?: string }): Promise<TestAgent>;
  /** Signs a person in by name; with a social handle it is linked too, and the person verified. */
  signIn(
    username: string,
    social?: { social_handle?: string; social_verified_at?: string },
  ): Promise<TestPerson>;
  /** Creates an etch and answers it. */
  etch(author: { key: string }, fields?: Record<string, unknown>): Promise<any>;
  /** Ticks until everything pending is anchored. */
  anchor(): Promise<void>;
  runTask(name: string): Promise<void>;
}

/**
 * One service for all tests of this file or `describe`; call it there. Options that are known only once another thing
 * runs are given as a function.
 */
export function useService(
  options: TestServiceOptions | (() => Promise<TestServiceOptions>) = {},
): TestService {
  let started: Awaited<ReturnType<typeof startTestService>> | undefined;
  beforeAll(async () => {
    started = await startTestService(typeof options === 'function' ? await options() : options);
  }, 120_000);
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

const NO_LIMITS = {
  LIMIT_KEY_PER_MINUTE: '1000000',
  LIMIT_ANON_PER_MINUTE: '1000000',
  LIMIT_REGISTRATIONS_PER_HOUR: '1000000',
  LIMIT_ETCHES_KEYPAIR: '1000000',
};

export async function startTestService(
  options: TestServiceOptions = {},
): Promise<{ service: TestService; close: () => Promise<void> }> {
  const port = await freePort('127.0.0.1');
  const config = readConfig({ ...NO_LIMITS, PORT: String(port), DATA_DIR: tmpdir(), ...options.settings });
  const baseUrl = config.baseUrl!;
  const db = await testDatabase();
  const outage = { on: false };
  // Searches read through a pool of their own, as they do when the service runs.
  const searchDb = openSearchPool({ ...config, secrets: { ...config.secrets, databaseUrl: db.url } });
  const keyring = createKeyring([randomBytes(32)]);
  const log: string[] = [];
  const clock = testClock();
  const dataDir = options.chain ? await mkdtemp(join(tmpdir(), 'svc-test-')) : undefined;
  const devnet = dataDir ? await startDevnet({ dataDir, port: 0, log: { info() {}, warn() {} } }) : undefined;
  const logger = pino({ level: 'debug' }, { write: (line: string) => void log.push(line) });
  const chain = devnet ? devnetChain(devnet) : noChain();
  const { readers, background } = openChainClient({
    urls: [devnet?.rpcUrl ?? 'http://127.0.0.1:9'],
    chainId: 31337,
  });
  const assembled = assemble({
    config,
    baseUrl,
    db: withOutage(db, outage),
    apart: { search: searchDb, maintenance: undefined },
    clock,
    keyring,
    log: logger,
    chain: {
      facts: {
        name: chain.name,
        contract: chain.contract,
        schemaUid: chain.schemaUid,
        relayer: chain.relayer,
        embedded: true,
        publicRpcUrl: `${baseUrl}/rpc`,
        relayers: async () => [chain.relayer],
        chainId: async () => 31337,
      },
      reader: cachedReader(attestationReader(readers), 0),
      rpc: readers,
      background,
    },
    readiness: [],
    ...(options.domainCheck && { test: { guard: options.domainCheck } }),
    ...options.parts,
  });
  await assembled.app.listen({ host: '127.0.0.1', port });
  let anchoring: Anchoring | undefined;
  const client = httpClient(baseUrl);

  const service: TestService = {
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
    async call(method, path, body, { key, headers = {}, raw } = {}) {
      const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body));
      const response = await client.send({
        method,
        path,
        headers: {
          ...(sent !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { authorization: `Bearer ${key}` }),
          ...headers,
        },
        body: sent,
      });
      const { status, text } = response;
      const isJson = response.contentType?.includes('json');
      const answer: Answer = {
        status,
        get headers() {
          return response.headers;
        },
        text,
        body: isJson && text !== '' ? parseJson(text) : undefined,
      };
      const problem = isJson ? contractProblem(method, path.split('?')[0]!, status, answer.body) : undefined;
      if (problem !== undefined) expect.fail(`${method} ${path}: ${problem}`);
      return answer;
    },
    async registerAgent({ displayName } = {}) {
      const keys = newAgentKeys();
      const issuedAt = new Date(clock.now()).toISOString();
      const answer = await service.call('POST', '/api/v1/agents', {
        public_key: keys.publicKey,
        issued_at: issuedAt,
        signature: keys.sign(`svc-register:v1|${keys.publicKey}|${issuedAt}`),
        ...(displayName !== undefined && { display_name: displayName }),
      });
      expect(answer.status, answer.text).toBe(201);
      const { agent, api_key: key } = answer.body;
      return {
        userId: agent.user_id,
        username: agent.username,
        publicKey: keys.publicKey,
        key,
        sign: keys.sign,
      };
    },
    async signIn(username, social = {}) {
      const signedIn = await service.call('POST', '/identity/dev-token', { username, ...social });
      expect(signedIn.status, signedIn.text).toBe(200);
      const token = signedIn.body.access_token;
      const linked = social.social_handle !== undefined;
      const answer = linked
        ? await service.call('POST', '/api/v1/me/social', undefined, { key: token })
        : await service.call('GET', '/api/v1/me', undefined, { key: token });
      expect(answer.status, answer.text).toBe(200);
      const { id, username: name } = answer.body.user;
      return { userId: id, username: name, token, key: token };
    },
    async etch(author, fields = {}) {
      const answer = await service.call(
        'POST',
        '/api/v1/etches',
        {
          content: 'The tide turns.',
          description: 'About the tide',
          category_id: 'science',
          mode: 'instant',
          ...fields,
        },
        { key: author.key },
      );
      expect(answer.status, answer.text).toBe(201);
      return answer.body.etch;
    },
    async anchor() {
      anchoring ??= await startAnchoring(db, chain, keyring, logger);
      for (let round = 0; round < 200; round++) {
        await anchoring.tick();
        if ((await anchoring.status()).pending === 0) return;
      }
      throw new Error(
        `not anchored: ${JSON.stringify(await anchoring.status(), (_, v) => (typeof v === 'bigint' ? `${v}` : v))}`,
      );
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
      client.close();
      await searchDb?.close();
      await db.close();
      await devnet?.stop();
      if (dataDir) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

let large: { text: string; value: unknown } | undefined;

/** The contract's own document is asked for a thousand times, and is the same each time. */
function parseJson(text: string): unknown {
  if (text.length < 100_000) return JSON.parse(text);
  if (large?.text !== text) large = { text, value: JSON.parse(text) };
  return large.value;
}
