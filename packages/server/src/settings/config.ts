import { existsSync, readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join, resolve } from 'node:path';
import { type SettingName, type Settings, SETTINGS } from './settings.ts';

/**
 * The environment, read once, validated and frozen (docs/operating.md#settings). Secrets stand apart in
 * `secrets`.
 */
export interface Config {
  production: boolean;
  host: string;
  port: number;
  /** undefined until the port is known when PORT is 0 */
  baseUrl: string | undefined;
  loopback: boolean;
  dataDir: string;
  /** the file that names what was erased */
  erasureLedger: string;
  revocationLedger: string;
  trustProxy: readonly string[];
  officialAccounts: ReadonlySet<string>;
  logLevel: Settings['LOG_LEVEL'];
  databasePoolSize: number;
  searchPoolSize: number;
  searchTimeoutMs: number;
  chain: {
    embedded: boolean;
    devnetPort: number;
    name: string;
    id: number | undefined;
    contract: `0x${string}` | undefined;
    schemaUid: `0x${string}` | undefined;
    maxFeeGwei: number;
    publicRpcUrl: string | undefined;
    explorerUrl: string | undefined;
    attestationExplorerUrl: string | undefined;
    intervalSeconds: number;
    confirmations: number | 'safe';
    scheme: Settings['ANCHOR_SCHEME'];
  };
  identity: {
    /** undefined: the embedded issuer, or none */
    issuer: string | undefined;
    /** undefined: the base url */
    audience: string | undefined;
    embedded: boolean;
    clientId: string | undefined;
    cliClientId: string;
    scopes: string;
    sessionIdleSeconds: number;
    sessionMaxSeconds: number;
    social: {
      adapter: Settings['SOCIAL_ADAPTER'];
      provider: string | undefined;
      apiUrl: string | undefined;
      /** read again for each use: such tokens are replaced while the service runs */
      adminTokenFile: string | undefined;
      claim: string;
      verifiedClaim: string;
    };
  };
  limits: Limits;
  live: { connections: number; connectionsPerAddress: number };
  guide: GuideSettings;
  webhooks: { enabled: boolean; perAccount: number };
  eventsKeptDays: number;
  domainCheckTestHosts: TestHosts;
  failpoint: string | undefined;
  /** undefined: nothing is traced */
  traces: { endpoint: string; serviceName: string; ratio: number } | undefined;
  secrets: {
    databaseUrl: string | undefined;
    redisUrl: string | undefined;
    rpcUrls: readonly string[] | undefined;
    readRpcUrls: readonly string[] | undefined;
    relayerPrivateKey: `0x${string}` | undefined;
    keys: readonly Buffer[] | undefined;
    identityClientSecret: string | undefined;
    socialAdminToken: string | undefined;
    otlpHeaders: Readonly<Record<string, string>>;
  };
}

/** Hosts to the addresses and ports they are found at instead, for tests (DOMAIN_CHECK_TEST_HOSTS). */
export type TestHosts = ReadonlyMap<string, { address: string; port: number }>;

export interface GuideSettings {
  enabled: boolean;
  /** usernames and user ids that may read all testers' answers */
  readers: ReadonlySet<string>;
}

export interface Limits {
  keyPerMinute: number;
  anonPerMinute: number;
  rpcPerMinute: number;
  chainReadsPerMinute: number;
  cardsPerMinute: number;
  mcpPerMinute: number;
  etchesKeypair: number;
  etchesVerified: number;
  etchesHuman: number;
  challengesPerDay: number;
  registrationsPerHour: number;
  failedRegistrationsPerHour: number;
  keysPerAccount: number;
  followsPerAccount: number;
  guidePerHour: number;
  minRevealLeadSeconds: number;
}

/** One message for each bad setting; the values themselves are never in it. */
export class ConfigError extends Error {
  override name = 'ConfigError';
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;

/** `.env` of the working directory under the real environment, which wins. */
export function readEnvironment(directory = process.cwd()): Environment {
  const file = join(directory, '.env');
  const before = { ...process.env };
  if (existsSync(file)) process.loadEnvFile(file);
  return { ...process.env, ...before };
}

/** @throws ConfigError */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const settings = readSettings(environment, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  checkTogether(settings, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return freeze(toConfig(settings, environment));
}

function readSettings(environment: Environment, problems: string[]): Settings {
  const settings: Record<string, unknown> = {};
  for (const [name, setting] of Object.entries(SETTINGS)) {
    let text = environment[name] || undefined;
    const file = setting.secret && (environment[`${name}_FILE`] || undefined);
    if (text !== undefined && file) {
      problems.push(`${name} and ${name}_FILE are both set: keep one of them`);
      continue;
    }
    try {
      if (file) text = readSecretFile(name, file);
      text ??= setting.default;
      settings[name] = text === undefined ? undefined : setting.read(text.trim());
    } catch (error) {
      problems.push(`${name} ${(error as Error).message}`);
    }
  }
  return settings as Settings;
}

function readSecretFile(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(
      `cannot be read from the file that ${name}_FILE names (${(error as NodeJS.ErrnoException).code})`,
      { cause: error },
    );
  }
}

function checkTogether(settings: Settings, problems: string[]): void {
  const needs = (condition: unknown, name: SettingName, reason: string): void => {
    if (condition && settings[name] === undefined) problems.push(`${name} is required ${reason}`);
  };
  needs(
    settings.DATABASE_URL,
    'SECRET_KEYS',
    'with DATABASE_URL: all processes on one database must share it (openssl rand -hex 32)',
  );
  needs(settings.CHAIN_RPC_URL, 'RELAYER_PRIVATE_KEY', 'with CHAIN_RPC_URL');
  needs(settings.CHAIN_RPC_URL, 'ATTESTATION_CONTRACT', 'with CHAIN_RPC_URL');
  needs(settings.CHAIN_RPC_URL, 'SCHEMA_UID', 'with CHAIN_RPC_URL');
  if (settings.CHAIN_RPC_URL === undefined) {
    for (const name of [
      'ATTESTATION_CONTRACT',
      'SCHEMA_UID',
      'RELAYER_PRIVATE_KEY',
      'CHAIN_ID',
      'CHAIN_READ_RPC_URL',
    ] as const) {
      if (settings[name] !== undefined)
        problems.push(`${name} belongs to a chain of your own: set CHAIN_RPC_URL too, or unset it`);
    }
  }
  checkIdentity(settings, problems);
  if (settings.DOMAIN_CHECK_TEST_HOSTS.size > 0 && settings.NODE_ENV === 'production') {
    problems.push(
      'DOMAIN_CHECK_TEST_HOSTS exempts hosts from a security check and is refused when NODE_ENV=production',
    );
  }
  if (settings.FAILPOINT !== undefined && settings.NODE_ENV === 'production') {
    problems.push('FAILPOINT kills the process and is refused when NODE_ENV=production');
  }
  for (const range of settings.TRUST_PROXY) {
    if (!isRange(range))
      problems.push(
        `TRUST_PROXY must hold address ranges (CIDR), \`loopback\` or \`uniquelocal\`, not \`${range}\``,
      );
  }
}

function checkIdentity(settings: Settings, problems: string[]): void {
  const { IDENTITY_ISSUER: issuer, SOCIAL_ADAPTER: adapter } = settings;
  if (issuer === undefined) {
    for (const name of ['IDENTITY_CLIENT_ID', 'IDENTITY_CLIENT_SECRET', 'SOCIAL_API_URL'] as const) {
      if (settings[name] !== undefined)
        problems.push(`${name} belongs to an issuer of your own: set IDENTITY_ISSUER too, or unset it`);
    }
    for (const name of ['IDENTITY_SOCIAL_CLAIM', 'IDENTITY_SOCIAL_VERIFIED_CLAIM'] as const) {
      if (settings[name] !== SETTINGS[name].default)
        problems.push(`${name} belongs to an issuer of your own: set IDENTITY_ISSUER too, or unset it`);
    }
    if (adapter !== 'userinfo') problems.push(`SOCIAL_ADAPTER=${adapter} needs IDENTITY_ISSUER`);
  } else {
    if (settings.IDENTITY_EMBEDDED === true)
      problems.push('IDENTITY_EMBEDDED=true and IDENTITY_ISSUER are both set: keep one of them');
    const { protocol, hostname } = new URL(issuer);
    if (protocol === 'http:' && settings.NODE_ENV === 'production' && !isLoopback(hostname))
      problems.push(
        'IDENTITY_ISSUER must be https when NODE_ENV=production: its keys decide who may sign in',
      );
    if (settings.IDENTITY_CLIENT_SECRET !== undefined && settings.IDENTITY_CLIENT_ID === undefined)
      problems.push('IDENTITY_CLIENT_ID is required with IDENTITY_CLIENT_SECRET');
  }
  for (const name of ['SOCIAL_PROVIDER', 'SOCIAL_ADMIN_TOKEN'] as const) {
    if (adapter !== 'userinfo' && settings[name] === undefined)
      problems.push(`${name} is required with SOCIAL_ADAPTER=${adapter}`);
  }
  for (const name of ['SOCIAL_PROVIDER', 'SOCIAL_ADMIN_TOKEN', 'SOCIAL_API_URL'] as const) {
    if (adapter === 'userinfo' && settings[name] !== undefined)
      problems.push(`${name} belongs to an administrator's SOCIAL_ADAPTER: set that too, or unset it`);
  }
}

function isRange(range: string): boolean {
  if (range === 'loopback' || range === 'uniquelocal') return true;
  const [address = '', bits, ...rest] = range.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) return false;
  return bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** The origin of a listen address; a wildcard address is reached by its loopback one. */
export function originOf(host: string, port: number): string {
  const name =
    host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '[::1]' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

function toConfig(s: Settings, environment: Environment): Config {
  const embedded = s.CHAIN_RPC_URL === undefined;
  const baseUrl = s.BASE_URL ?? (s.PORT === 0 ? undefined : originOf(s.HOST, s.PORT));
  const production = s.NODE_ENV === 'production';
  const loopback = isLoopback(s.HOST) && (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname));
  return {
    production,
    host: s.HOST,
    port: s.PORT,
    baseUrl,
    loopback,
    dataDir: resolve(s.DATA_DIR),
    erasureLedger: resolve(s.ERASURE_LEDGER ?? join(s.DATA_DIR, 'erasures.jsonl')),
    revocationLedger: resolve(s.REVOCATION_LEDGER ?? join(s.DATA_DIR, 'revocations.jsonl')),
    trustProxy: s.TRUST_PROXY,
    officialAccounts: new Set(s.OFFICIAL_ACCOUNTS),
    logLevel: s.LOG_LEVEL,
    databasePoolSize: s.DATABASE_POOL_SIZE,
    searchPoolSize: s.SEARCH_POOL_SIZE,
    searchTimeoutMs: s.SEARCH_TIMEOUT_MS,
    chain: {
      embedded,
      devnetPort: s.DEVNET_PORT,
      name: s.CHAIN_NAME,
      id: s.CHAIN_ID,
      contract: s.ATTESTATION_CONTRACT,
      schemaUid: s.SCHEMA_UID,
      maxFeeGwei: s.MAX_FEE_GWEI,
      publicRpcUrl: s.CHAIN_PUBLIC_RPC_URL,
      explorerUrl: s.CHAIN_EXPLORER_URL,
      attestationExplorerUrl: s.ATTESTATION_EXPLORER_URL,
      intervalSeconds: s.ANCHOR_INTERVAL_SECONDS ?? (embedded ? 2 : 60),
      confirmations: s.ANCHOR_CONFIRMATIONS ?? (embedded ? 1 : 'safe'),
      scheme: s.ANCHOR_SCHEME,
    },
    identity: {
      issuer: s.IDENTITY_ISSUER,
      audience: s.IDENTITY_AUDIENCE,
      embedded: s.IDENTITY_ISSUER === undefined && (s.IDENTITY_EMBEDDED ?? (loopback && !production)),
      clientId: s.IDENTITY_CLIENT_ID,
      cliClientId: s.IDENTITY_CLI_CLIENT_ID,
      scopes: s.IDENTITY_SCOPES,
      sessionIdleSeconds: s.SESSION_IDLE_SECONDS,
      sessionMaxSeconds: s.SESSION_MAX_SECONDS,
      social: {
        adapter: s.SOCIAL_ADAPTER,
        provider: s.SOCIAL_PROVIDER,
        apiUrl: s.SOCIAL_API_URL,
        adminTokenFile: environment['SOCIAL_ADMIN_TOKEN_FILE'] || undefined,
        claim: s.IDENTITY_SOCIAL_CLAIM,
        verifiedClaim: s.IDENTITY_SOCIAL_VERIFIED_CLAIM,
      },
    },
    limits: {
      keyPerMinute: s.LIMIT_KEY_PER_MINUTE,
      anonPerMinute: s.LIMIT_ANON_PER_MINUTE,
      rpcPerMinute: s.LIMIT_RPC_PER_MINUTE,
      chainReadsPerMinute: s.LIMIT_CHAIN_READS_PER_MINUTE,
      cardsPerMinute: s.LIMIT_CARDS_PER_MINUTE,
      mcpPerMinute: s.LIMIT_MCP_PER_MINUTE,
      etchesKeypair: s.LIMIT_ETCHES_KEYPAIR,
      etchesVerified: s.LIMIT_ETCHES_VERIFIED,
      etchesHuman: s.LIMIT_ETCHES_HUMAN,
      challengesPerDay: s.LIMIT_CHALLENGES_PER_DAY,
      registrationsPerHour: s.LIMIT_REGISTRATIONS_PER_HOUR,
      failedRegistrationsPerHour: s.LIMIT_FAILED_REGISTRATIONS_PER_HOUR,
      keysPerAccount: s.LIMIT_KEYS_PER_ACCOUNT,
      followsPerAccount: s.LIMIT_FOLLOWS_PER_ACCOUNT,
      guidePerHour: s.LIMIT_GUIDE_PER_HOUR,
      minRevealLeadSeconds: s.MIN_REVEAL_LEAD_SECONDS,
    },
    live: { connections: s.LIVE_CONNECTIONS, connectionsPerAddress: s.LIVE_CONNECTIONS_PER_ADDRESS },
    guide: { enabled: s.GUIDE_ENABLED, readers: new Set(s.GUIDE_READERS) },
    webhooks: { enabled: s.WEBHOOKS_ENABLED, perAccount: s.LIMIT_WEBHOOKS_PER_ACCOUNT },
    eventsKeptDays: s.EVENTS_KEPT_DAYS,
    domainCheckTestHosts: s.DOMAIN_CHECK_TEST_HOSTS,
    failpoint: s.FAILPOINT,
    traces: s.OTEL_EXPORTER_OTLP_ENDPOINT
      ? {
          endpoint: s.OTEL_EXPORTER_OTLP_ENDPOINT,
          serviceName: s.OTEL_SERVICE_NAME,
          ratio: s.OTEL_TRACES_SAMPLER_ARG,
        }
      : undefined,
    secrets: {
      databaseUrl: s.DATABASE_URL,
      redisUrl: s.REDIS_URL,
      rpcUrls: s.CHAIN_RPC_URL,
      readRpcUrls: s.CHAIN_READ_RPC_URL,
      relayerPrivateKey: s.RELAYER_PRIVATE_KEY,
      keys: s.SECRET_KEYS,
      identityClientSecret: s.IDENTITY_CLIENT_SECRET,
      socialAdminToken: s.SOCIAL_ADMIN_TOKEN,
      otlpHeaders: s.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    },
  };
}

function freeze<T extends object>(value: T): T {
  for (const inner of Object.values(value)) {
    if (inner !== null && typeof inner === 'object' && !Buffer.isBuffer(inner)) freeze(inner as object);
  }
  return Object.freeze(value);
}
