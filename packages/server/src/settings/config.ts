import type { DrandChain } from '@svc/protocol/timelock';
import type { Policy } from '@svc/protocol/tlog';
import type { Pooler } from '../db/sessions.ts';
import type { Settings } from './settings.ts';

/** Settings as read at startup (docs/operating/settings.md). */
export interface Config {
  production: boolean;
  host: string;
  port: number;
  /** undefined with PORT 0, until the port is known */
  baseUrl: string | undefined;
  loopback: boolean;
  processes: number;
  dataDir: string;
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
    /** undefined for the embedded issuer or none */
    issuer: string | undefined;
    /** undefined means the base URL */
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
      /** read for each use */
      adminTokenFile: string | undefined;
      claim: string;
      verifiedClaim: string;
    };
  };
  /** for openings and blind seals */
  drandChain: DrandChain | undefined;
  mcpOrigins: readonly string[];
  limits: Limits;
  live: { connections: number; connectionsPerAddress: number };
  guide: GuideSettings;
  webhooks: { enabled: boolean; perAccount: number };
  siteNotice: string | undefined;
  /** undefined means the page about the service */
  securityContact: string | undefined;
  /** PEM */
  tsaCertificates: string | undefined;
  otsCalendars: readonly string[] | undefined;
  witnessPolicy: Policy | undefined;
  domainCheckTestHosts: TestHosts;
  failpoint: string | undefined;
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

export type TestHosts = ReadonlyMap<string, { address: string; port: number }>;

export interface GuideSettings {
  enabled: boolean;
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
