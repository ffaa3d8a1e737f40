import type { DrandChain } from '@svc/protocol/timelock';
import type { Pooler } from '../db/sessions.ts';
import type { Settings } from './settings.ts';

/** The environment, read once, validated and frozen (docs/operating/settings.md). Secrets are in `secrets`. */
export interface Config {
  production: boolean;
  host: string;
  port: number;
  /** undefined with PORT 0, until the port is known */
  baseUrl: string | undefined;
  loopback: boolean;
  /** how many processes share the port */
  processes: number;
  dataDir: string;
  /** the file that records erasures */
  erasureLedger: string;
  revocationLedger: string;
  trustProxy: readonly string[];
  officialAccounts: ReadonlySet<string>;
  logLevel: Settings['LOG_LEVEL'];
  databasePoolSize: number;
  databasePooler: Pooler;
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
    /** undefined: the base URL */
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
      /** read again for each use, because such tokens are replaced while the service runs */
      adminTokenFile: string | undefined;
      claim: string;
      verifiedClaim: string;
    };
  };
  /** the drand chain that openings and blind seals are encrypted to; undefined: both are off */
  drandChain: DrandChain | undefined;
  mcpOrigins: readonly string[];
  limits: Limits;
  live: { connections: number; connectionsPerAddress: number };
  guide: GuideSettings;
  webhooks: { enabled: boolean; perAccount: number };
  eventsKeptDays: number;
  /** a URL; undefined: /.well-known/security.txt names the page about the service */
  securityContact: string | undefined;
  /** PEM, of time-stamping authorities; undefined: no time stamps are requested */
  tsaCertificates: string | undefined;
  /** OpenTimestamps calendars; undefined: none */
  otsCalendars: readonly string[] | undefined;
  domainCheckTestHosts: TestHosts;
  failpoint: string | undefined;
  /** undefined: tracing is off */
  traces: { endpoint: string; ratio: number } | undefined;
  secrets: {
    databaseUrl: string | undefined;
    databaseReadUrl: string | undefined;
    redisUrl: string | undefined;
    tsaUrls: readonly string[] | undefined;
    drandUrls: readonly string[] | undefined;
    rpcUrls: readonly string[] | undefined;
    readRpcUrls: readonly string[] | undefined;
    relayerPrivateKey: `0x${string}` | undefined;
    keys: readonly Buffer[] | undefined;
    identityClientSecret: string | undefined;
    socialAdminToken: string | undefined;
    otlpHeaders: Readonly<Record<string, string>>;
  };
}

/** Maps hosts to the addresses and ports that tests use for them (DOMAIN_CHECK_TEST_HOSTS). */
export type TestHosts = ReadonlyMap<string, { address: string; port: number }>;

export interface GuideSettings {
  enabled: boolean;
  /** usernames and user ids that may read the answers of all testers */
  readers: ReadonlySet<string>;
}

export interface Limits {
  keyPerMinute: number;
  anonPerMinute: number;
  rpcPerMinute: number;
  chainReadsPerMinute: number;
  cardsPerMinute: number;
  scoreEtches: number;
  mcpPerMinute: number;
  etchesKeypair: number;
  etchesVerified: number;
  etchesHuman: number;
  openingsPerHour: number;
  challengesPerDay: number;
  registrationsPerHour: number;
  failedRegistrationsPerHour: number;
  keysPerAccount: number;
  followsPerAccount: number;
  guidePerHour: number;
  minRevealLeadSeconds: number;
}
