import { resolve } from 'node:path';
import type { Environment, OperatorFiles } from './environment.ts';
import { isLoopback, originOf } from './listen-address.ts';
import type { Settings } from './settings.ts';

/** Settings as read at startup (docs/operating/settings.md). */
export type Config = ReturnType<typeof toConfig>;
export type Limits = Config['limits'];
export type GuideSettings = Config['guide'];
export type TestHosts = Config['domainCheckTestHosts'];

export function toConfig(s: Settings, environment: Environment, files: OperatorFiles) {
  const embedded = s.CHAIN_RPC_URL === undefined;
  const baseUrl = s.BASE_URL ?? (s.PORT === 0 ? undefined : originOf(s.HOST, s.PORT));
  const pooler = s.DATABASE_URL?.pooler ?? 'none';
  const production = s.NODE_ENV === 'production';
  const loopback = isLoopback(s.HOST) && (baseUrl === undefined || isLoopback(new URL(baseUrl).hostname));
  return {
    production,
    host: s.HOST,
    port: s.PORT,
    /** undefined with PORT 0, until the port is known */
    baseUrl,
    loopback,
    processes: s.PROCESSES,
    dataDir: resolve(s.DATA_DIR),
    erasureLedger: resolve(s.LEDGER_DIR ?? s.DATA_DIR, 'erasures.jsonl'),
    revocationLedger: resolve(s.LEDGER_DIR ?? s.DATA_DIR, 'revocations.jsonl'),
    trustProxy: s.TRUST_PROXY,
    officialAccounts: namesIn(s.OFFICIAL_ACCOUNTS),
    logLevel: s.LOG_LEVEL,
    databasePoolSize: s.DATABASE_URL?.poolSize ?? 10,
    databasePooler: pooler,
    standbyPooler: s.DATABASE_READ_URL?.pooler ?? pooler,
    searchTimeoutMs: s.TEST_SEARCH_TIMEOUT_MS,
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
      /** undefined for the embedded issuer or none */
      issuer: s.IDENTITY_ISSUER?.url,
      /** undefined means the base URL */
      audience: s.IDENTITY_AUDIENCE,
      embedded:
        s.IDENTITY_ISSUER === undefined &&
        (s.IDENTITY_EMBEDDED ?? (loopback && !production && s.PROCESSES === 1)),
      clientId: s.IDENTITY_CLIENT_ID?.web,
      cliClientId: s.IDENTITY_CLIENT_ID?.cli ?? 'svc-cli',
      scopes: s.IDENTITY_ISSUER?.scopes ?? 'openid profile',
      sessionIdleSeconds: s.TEST_SESSION_IDLE_SECONDS,
      sessionMaxSeconds: s.TEST_SESSION_MAX_SECONDS,
      social: {
        adapter: s.SOCIAL_ADAPTER.name,
        provider: s.SOCIAL_PROVIDER,
        apiUrl: s.SOCIAL_ADAPTER.apiUrl,
        /** read for each use */
        adminTokenFile: environment['SOCIAL_ADMIN_TOKEN_FILE'] || undefined,
        claim: s.IDENTITY_SOCIAL_CLAIM,
        verifiedClaim: s.IDENTITY_SOCIAL_VERIFIED_CLAIM,
      },
    },
    limits: {
      keyPerMinute: s.LIMIT_KEY_PER_MINUTE,
      anonPerMinute: s.LIMIT_ANON_PER_MINUTE,
      rpcPerMinute: s.LIMIT_RPC_PER_MINUTE,
      chainReadsPerMinute: 2 * s.LIMIT_RPC_PER_MINUTE,
      cardsPerMinute: s.TEST_LIMIT_CARDS_PER_MINUTE ?? s.LIMIT_ANON_PER_MINUTE,
      scoreEtches: s.TEST_LIMIT_SCORE_ETCHES,
      mcpPerMinute: s.TEST_LIMIT_MCP_PER_MINUTE ?? 5 * s.LIMIT_KEY_PER_MINUTE,
      etchesKeypair: s.LIMIT_ETCHES_KEYPAIR,
      etchesVerified: s.LIMIT_ETCHES_VERIFIED,
      etchesHuman: s.LIMIT_ETCHES_HUMAN,
      openingsPerHour: s.TEST_LIMIT_OPENINGS_PER_HOUR,
      challengesPerDay: s.LIMIT_CHALLENGES_PER_DAY,
      registrationsPerHour: s.LIMIT_REGISTRATIONS_PER_HOUR,
      failedRegistrationsPerHour:
        s.TEST_LIMIT_FAILED_REGISTRATIONS_PER_HOUR ?? 10 * s.LIMIT_REGISTRATIONS_PER_HOUR,
      /** a developer's machine registers test accounts without a limit */
      loopbackRegisters: embedded && loopback && !production && !environment['LIMIT_REGISTRATIONS_PER_HOUR'],
      keysPerAccount: s.TEST_LIMIT_KEYS_PER_ACCOUNT,
      followsPerAccount: s.TEST_LIMIT_FOLLOWS_PER_ACCOUNT,
      guidePerHour: s.LIMIT_GUIDE_PER_HOUR,
      minRevealLeadSeconds: s.MIN_REVEAL_LEAD_SECONDS,
    },
    /** for openings and blind seals */
    drandChain: s.DRAND_CHAIN,
    mcpOrigins: s.MCP_ORIGINS,
    live: {
      connections: s.TEST_LIVE_CONNECTIONS,
      connectionsPerAddress: s.TEST_LIVE_CONNECTIONS_PER_ADDRESS,
    },
    guide: { enabled: s.GUIDE_ENABLED, readers: namesIn(s.GUIDE_READERS) },
    webhooks: { enabled: !files.webhooksOff, perAccount: s.TEST_LIMIT_WEBHOOKS_PER_ACCOUNT },
    siteNotice: files.notice,
    operatorName: s.OPERATOR_NAME,
    /** undefined means the page about the service */
    securityContact: s.SECURITY_CONTACT,
    /** PEM */
    tsaCertificates: s.TSA_CERTIFICATES,
    otsCalendars: s.OTS_CALENDARS,
    witnessPolicy: s.WITNESS_POLICY,
    domainCheckTestHosts: s.DOMAIN_CHECK_TEST_HOSTS,
    failpoint: s.FAILPOINT,
    secrets: {
      databaseUrl: s.DATABASE_URL?.url,
      databaseReadUrl: s.DATABASE_READ_URL?.url,
      redisUrl: s.REDIS_URL,
      tsaUrls: s.TSA_URLS,
      drandUrls: s.DRAND_URLS,
      rpcUrls: s.CHAIN_RPC_URL,
      readRpcUrls: s.CHAIN_READ_RPC_URL,
      relayerPrivateKey: s.RELAYER_PRIVATE_KEY,
      keys: s.SECRET_KEYS,
      identityClientSecret: s.IDENTITY_CLIENT_SECRET,
      socialAdminToken: s.SOCIAL_ADMIN_TOKEN,
    },
  };
}

const namesIn = (names: readonly string[]): ReadonlySet<string> => new Set(names);
