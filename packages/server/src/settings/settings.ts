import {
  certificateFile,
  confirmations,
  contactUrl,
  drandChain,
  flag,
  gwei,
  headerList,
  hex,
  hostList,
  issuerUrl,
  keyList,
  list,
  oneOf,
  onOff,
  origin,
  postgresUrl,
  standbyUrl,
  processCount,
  redisUrl,
  scopes,
  share,
  text,
  webUrl,
  webUrls,
  wholeNumber,
} from './values.ts';

/**
 * The default, meaning and parser of one setting. The table below also generates `.env.example` and the table in
 * docs/operating/settings.md.
 */
export interface Setting<T> {
  default: string | undefined;
  meaning: string;
  /** may be read from the file that `<NAME>_FILE` names; never shown */
  secret?: true;
  /** @throws Error that says what is accepted */
  read: (text: string) => T;
}

function setting<T>(defaultText: string, meaning: string, read: (value: string) => T): Setting<T> {
  return { default: defaultText, meaning, read };
}

function optional<T>(meaning: string, read: (value: string) => T): Setting<T | undefined> {
  return { default: undefined, meaning, read };
}

function secret<T>(meaning: string, read: (value: string) => T): Setting<T | undefined> {
  return { default: undefined, meaning, read, secret: true };
}

const limit = (value: number, meaning: string): Setting<number> =>
  setting(String(value), meaning, wholeNumber(0, 1_000_000_000));

export const SETTINGS = {
  NODE_ENV: setting(
    'development',
    '`production`, `development` or `test`; `production` rejects settings that are only for trials',
    oneOf('production', 'development', 'test'),
  ),
  HOST: setting('127.0.0.1', 'address to listen on', text),
  PORT: setting('3000', 'port to listen on; 0 picks a free port', wholeNumber(0, 65_535)),
  BASE_URL: optional(
    'public origin of every URL that the service writes; default http://<HOST>:<PORT>',
    origin,
  ),
  PROCESSES: setting(
    '1',
    'number of processes that share the port, or `auto` for one per core; more than one requires DATABASE_URL and CHAIN_RPC_URL',
    processCount,
  ),
  DATA_DIR: setting(
    './data',
    'folder of the embedded database, the chain state and generated secrets (mode 0600)',
    text,
  ),
  ERASURE_LEDGER: optional(
    'file of the erasure ledger, which is written in addition to the database; keep a copy elsewhere; default DATA_DIR/erasures.jsonl',
    text,
  ),
  REVOCATION_LEDGER: optional(
    'file of the ledger of revoked API keys and ended sessions; keep a copy elsewhere; default DATA_DIR/revocations.jsonl',
    text,
  ),
  DATABASE_URL: secret(
    'PostgreSQL connection string; with several servers (`host:port,host:port`) the writable one is used; unset: PGlite in DATA_DIR',
    postgresUrl,
  ),
  DATABASE_POOL_SIZE: setting(
    '10',
    'maximum number of connections to PostgreSQL, per process',
    wholeNumber(2, 1_000),
  ),
  DATABASE_POOLER: setting(
    'none',
    '`transaction` if DATABASE_URL points to a pooler in transaction mode (any version of PgBouncer): no session settings and no prepared statements are used',
    oneOf('none', 'transaction'),
  ),
  DATABASE_READ_URL: secret(
    'connection string of the standbys of DATABASE_URL (`host:port,host:port`); one of them answers searches, lists, the feed and the first page; unset: the primary does',
    standbyUrl,
  ),
  DATABASE_READ_MAX_AGE_SECONDS: setting(
    '5',
    'maximum age of a standby answer, in seconds; reveals and retractions take effect at once regardless',
    wholeNumber(2, 3_600),
  ),
  SEARCH_POOL_SIZE: setting(
    '4',
    'additional connections to PostgreSQL for searches, per process',
    wholeNumber(2, 1_000),
  ),
  SEARCH_TIMEOUT_MS: setting(
    '5000',
    'maximum duration of a search, in milliseconds; after it the answer is 503',
    wholeNumber(10, 60_000),
  ),
  REDIS_URL: secret(
    'Redis URL for request counts that several replicas share; unset: each counts in memory',
    redisUrl,
  ),
  CHAIN_RPC_URL: secret('JSON-RPC endpoints of the chain, tried in order; unset: embedded anvil', webUrls),
  CHAIN_READ_RPC_URL: secret(
    'JSON-RPC endpoints for requests of readers (/rpc, /verify), tried in order; unset: CHAIN_RPC_URL',
    webUrls,
  ),
  DRAND_CHAIN: setting(
    'quicknet',
    'drand chain that openings and blind seals are encrypted to: `quicknet`, a file with the answer of its /<chain hash>/info, or `off` to have neither',
    drandChain,
  ),
  DRAND_URLS: secret(
    'relays of that chain, from which the service fetches rounds for readers of blind seals; the first valid answer is used; unset: no rounds are fetched',
    webUrls,
  ),
  DEVNET_PORT: setting(
    '8545',
    'port of the embedded anvil (loopback only); a free port if this one is in use',
    wholeNumber(0, 65_535),
  ),
  CHAIN_NAME: setting('devnet', 'name of the chain in receipts', text),
  CHAIN_ID: optional(
    'expected chain id; the service does not start on another chain; default: the id that the RPC reports',
    wholeNumber(1, 2 ** 52),
  ),
  ATTESTATION_CONTRACT: optional(
    'address of the EAS contract on the chain; required with CHAIN_RPC_URL',
    hex(20),
  ),
  SCHEMA_UID: optional('UID of the schema registered there; required with CHAIN_RPC_URL', hex(32)),
  RELAYER_PRIVATE_KEY: secret(
    'private key of the account that attests; required with CHAIN_RPC_URL',
    hex(32),
  ),
  MAX_FEE_GWEI: setting(
    '100',
    'maximum price of a unit of gas, in gwei; above it anchoring waits and logs the reason',
    gwei,
  ),
  CHAIN_PUBLIC_RPC_URL: optional(
    'JSON-RPC endpoint that the service publishes to readers; default <BASE_URL>/rpc',
    webUrl,
  ),
  CHAIN_EXPLORER_URL: optional('root of the URLs in `tx_url`; unset: `tx_url` is null', webUrl),
  ATTESTATION_EXPLORER_URL: optional(
    'root of the URLs in `attscan_url`; unset: `attscan_url` is null',
    webUrl,
  ),
  ANCHOR_INTERVAL_SECONDS: optional(
    'maximum wait before pending hashes are folded and attested; default 60, on the devnet 2',
    wholeNumber(1, 86_400),
  ),
  ANCHOR_CONFIRMATIONS: optional(
    'number of confirmations that make an attestation final for the service, or `safe`; default `safe`, on the devnet 1',
    confirmations,
  ),
  ANCHOR_SCHEME: setting(
    'tree-v2',
    'how hashes are attested: `tree-v2`, `tree-v1` or `single`',
    oneOf('tree-v2', 'tree-v1', 'single'),
  ),
  SECURITY_CONTACT: optional(
    'where to report vulnerabilities, an https: or mailto: URL, for /.well-known/security.txt; default: the page about the service',
    contactUrl,
  ),
  TSA_URLS: secret(
    'time-stamping authorities (RFC 3161) for each final tree; the first valid stamp is used; unset: trees get no time stamp',
    webUrls,
  ),
  TSA_CERTIFICATES: optional(
    'file with the certificates (PEM) of trusted authorities; required with TSA_URLS',
    certificateFile,
  ),
  IDENTITY_ISSUER: optional(
    'OpenID Connect issuer whose session tokens are accepted; unset: the embedded issuer',
    issuerUrl,
  ),
  IDENTITY_AUDIENCE: optional('required `aud` of access tokens; default BASE_URL', text),
  IDENTITY_EMBEDDED: optional(
    'whether the embedded issuer runs, which signs people in without a password; default `true` on loopback outside production; in production rejected with a `BASE_URL` that is not loopback',
    onOff,
  ),
  IDENTITY_SCOPES: setting(
    'openid profile',
    'scopes that the web sign-in requests at IDENTITY_ISSUER; add `offline_access` if the issuer requires it for refresh tokens',
    scopes,
  ),
  IDENTITY_CLIENT_ID: optional('client id of the web sign-in at IDENTITY_ISSUER (code flow with PKCE)', text),
  IDENTITY_CLIENT_SECRET: secret('client secret of the web sign-in; unset: a public client', text),
  IDENTITY_CLI_CLIENT_ID: setting(
    'svc-cli',
    'client id of `svc login` at IDENTITY_ISSUER (a public client: code flow with PKCE, loopback redirect `/callback`)',
    text,
  ),
  SESSION_IDLE_SECONDS: setting(
    '86400',
    'how long a session of the pages lasts without use, in seconds',
    wholeNumber(1, 31_536_000),
  ),
  SESSION_MAX_SECONDS: setting(
    '1209600',
    'maximum duration of a session of the pages, in seconds',
    wholeNumber(1, 31_536_000),
  ),
  SOCIAL_ADAPTER: setting(
    'userinfo',
    "how the linked social identity is read: `userinfo` uses the caller's token; an administrator's token is used for `supabase`, `keycloak`, `auth0`, `logto`, `zitadel` or `clerk`",
    oneOf('userinfo', 'supabase', 'keycloak', 'auth0', 'logto', 'zitadel', 'clerk'),
  ),
  SOCIAL_PROVIDER: optional(
    "the social provider's name at the identity provider; required unless SOCIAL_ADAPTER is `userinfo`",
    text,
  ),
  SOCIAL_ADMIN_TOKEN: secret("the administrator's token; required unless SOCIAL_ADAPTER is `userinfo`", text),
  SOCIAL_API_URL: optional(
    "root of the administrator's API; default: derived from IDENTITY_ISSUER (`clerk`: https://api.clerk.com)",
    webUrl,
  ),
  IDENTITY_SOCIAL_CLAIM: setting('social_handle', 'claim with the social handle (`userinfo`)', text),
  IDENTITY_SOCIAL_VERIFIED_CLAIM: setting(
    'social_verified_at',
    'claim with the time of its verification (`userinfo`); a handle without a time counts as verified now',
    text,
  ),
  GUIDE_ENABLED: setting('false', 'whether the guide for testers is shown (staging)', flag),
  GUIDE_READERS: setting('', 'usernames or user ids that may read the answers of all testers', list),
  OFFICIAL_ACCOUNTS: setting('', 'usernames or user ids that get `official: true`', list),
  TRUST_PROXY: setting(
    '',
    'address ranges of proxies whose X-Forwarded-For is trusted (CIDR, `loopback`, `uniquelocal`)',
    list,
  ),
  SECRET_KEYS: secret(
    'encryption keys of 64 hex digits: the first encrypts, all decrypt; required with DATABASE_URL, otherwise generated in DATA_DIR',
    keyList,
  ),
  LIVE_CONNECTIONS: setting(
    '1000',
    'maximum number of open pages with live updates; further pages poll',
    wholeNumber(0, 100_000),
  ),
  LIVE_CONNECTIONS_PER_ADDRESS: setting(
    '20',
    'maximum number of open pages with live updates per address',
    wholeNumber(0, 100_000),
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    'URL of a trace collector (OTLP over HTTP), without `/v1/traces`; unset: tracing is off',
    webUrl,
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secret('headers for the collector, `name=value,…`', headerList),
  OTEL_SERVICE_NAME: setting('commitment-service', 'name of the service in traces', text),
  OTEL_TRACES_SAMPLER_ARG: setting('1', 'share of requests that are traced, 0 to 1', share),
  LOG_LEVEL: setting(
    'info',
    'minimum level of log lines (pino)',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  LIMIT_KEY_PER_MINUTE: limit(60, 'requests a minute per API key'),
  LIMIT_ANON_PER_MINUTE: limit(60, 'signed-out requests a minute per address on lists and searches'),
  LIMIT_RPC_PER_MINUTE: limit(
    300,
    'chain reads a minute per address: each call on /rpc, and each attestation that a verification reads from the chain',
  ),
  LIMIT_CHAIN_READS_PER_MINUTE: limit(600, 'chain reads a minute for all addresses together'),
  LIMIT_SCORE_ETCHES: limit(
    100_000,
    'maximum number of forecasts, resolutions and retractions in one score; with more the API returns 422, and clients compute the score themselves',
  ),
  LIMIT_MCP_PER_MINUTE: limit(
    300,
    'messages a minute per address on /mcp, in addition to the limits of the calls that its tools make',
  ),
  LIMIT_CARDS_PER_MINUTE: limit(60, 'preview pictures drawn a minute per address'),
  LIMIT_ETCHES_KEYPAIR: limit(100, 'etches a day for a keypair agent'),
  LIMIT_ETCHES_VERIFIED: limit(250, 'etches a day for a verified agent or person'),
  LIMIT_ETCHES_HUMAN: limit(100, 'etches a day for a person without a verified social identity'),
  LIMIT_OPENINGS_PER_HOUR: limit(60, 'openings of sealed etches an hour per account'),
  LIMIT_CHALLENGES_PER_DAY: limit(20, 'challenges a day per account'),
  LIMIT_REGISTRATIONS_PER_HOUR: limit(10, 'agent registrations an hour per address'),
  LIMIT_FAILED_REGISTRATIONS_PER_HOUR: limit(
    100,
    'failed registrations and key recoveries an hour per address',
  ),
  LIMIT_KEYS_PER_ACCOUNT: limit(100, 'active API keys per account'),
  LIMIT_FOLLOWS_PER_ACCOUNT: limit(5_000, 'follows per account (accounts, topics, challenges and etches)'),
  LIMIT_GUIDE_PER_HOUR: limit(30, 'signed-out guide answers an hour per address'),
  MIN_REVEAL_LEAD_SECONDS: limit(300, 'minimum time until `reveal_at`, in seconds'),
  WEBHOOKS_ENABLED: setting('true', 'whether accounts may have webhooks', onOff),
  LIMIT_WEBHOOKS_PER_ACCOUNT: limit(10, 'webhooks per account'),
  EVENTS_KEPT_DAYS: setting(
    '90',
    'how long events and the webhook log are stored, in days',
    wholeNumber(1, 100_000),
  ),
  DOMAIN_CHECK_TEST_HOSTS: setting(
    '',
    'for tests: `host=address:port,…`, hosts exempt from the address and port rules of the domain check and of webhooks; rejected in production',
    hostList,
  ),
  FAILPOINT: optional(
    'for tests: `name` or `name:n`, where the process kills itself the n-th time; rejected in production',
    text,
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type Settings = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;
};
