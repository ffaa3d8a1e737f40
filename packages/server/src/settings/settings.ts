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
 * Every setting of the service: its name, default and meaning, and how its text becomes a value. The same
 * table makes the typed configuration, `.env.example` and the table in docs/operating.md.
 */
export interface Setting<T> {
  default: string | undefined;
  meaning: string;
  /** may be given as a file by `<NAME>_FILE`; never shown */
  secret?: true;
  /** @throws Error with what is wanted */
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
    '`production`, `development` or `test`; `production` refuses what is meant for trying things',
    oneOf('production', 'development', 'test'),
  ),
  HOST: setting('127.0.0.1', 'address to listen on', text),
  PORT: setting('3000', 'port to listen on; 0 takes a free one', wholeNumber(0, 65_535)),
  BASE_URL: optional('public origin, in every url the service writes; default http://<HOST>:<PORT>', origin),
  PROCESSES: setting(
    '1',
    'processes that serve the port together, or `auto`: one for each core; more than one needs DATABASE_URL and CHAIN_RPC_URL',
    processCount,
  ),
  DATA_DIR: setting('./data', 'embedded database, chain state, generated secrets (mode 0600)', text),
  ERASURE_LEDGER: optional(
    'file that the erasure ledger is kept up in, beside the database; keep a copy elsewhere; default DATA_DIR/erasures.jsonl',
    text,
  ),
  REVOCATION_LEDGER: optional(
    'the same for revoked API keys and ended sessions; default DATA_DIR/revocations.jsonl',
    text,
  ),
  DATABASE_URL: secret(
    'PostgreSQL connection string; several servers as `host:port,host:port`: the one that takes writes is used; unset: PGlite in DATA_DIR',
    postgresUrl,
  ),
  DATABASE_POOL_SIZE: setting(
    '10',
    'connections to PostgreSQL at most, in each process',
    wholeNumber(2, 1_000),
  ),
  DATABASE_POOLER: setting(
    'none',
    '`transaction`: DATABASE_URL leads to a pooler in transaction mode (PgBouncer of any version): sessions are told nothing, nothing is prepared in them',
    oneOf('none', 'transaction'),
  ),
  DATABASE_READ_URL: secret(
    'standbys of DATABASE_URL, several as `host:port,host:port`: one of them answers searches, lists, the feed and the first page; unset: the primary does',
    standbyUrl,
  ),
  DATABASE_READ_MAX_AGE_SECONDS: setting(
    '5',
    'how old an answer of a standby may be; never used for reveals and retractions, which hold at once',
    wholeNumber(2, 3_600),
  ),
  SEARCH_POOL_SIZE: setting(
    '4',
    'connections to PostgreSQL for searches, beside the others, in each process',
    wholeNumber(2, 1_000),
  ),
  SEARCH_TIMEOUT_MS: setting(
    '5000',
    'how long a search may look, in milliseconds; then it is answered 503',
    wholeNumber(10, 60_000),
  ),
  REDIS_URL: secret('shared request metering for several replicas; unset: in this process', redisUrl),
  CHAIN_RPC_URL: secret('JSON-RPC endpoints of the chain, tried in order; unset: embedded anvil', webUrls),
  CHAIN_READ_RPC_URL: secret(
    "JSON-RPC endpoints for readers' questions alone (/rpc, /verify), tried in order; unset: those of CHAIN_RPC_URL",
    webUrls,
  ),
  DRAND_CHAIN: setting(
    'quicknet',
    'drand chain that openings and blind seals are encrypted to: `quicknet`, a file with what its /<chain hash>/info answers, or `off`: neither',
    drandChain,
  ),
  DRAND_URLS: secret(
    'relays of that chain, asked for rounds that readers of blind seals need, the first whose answer holds; unset: none is asked',
    webUrls,
  ),
  DEVNET_PORT: setting(
    '8545',
    'where the embedded anvil listens (loopback only); another free one if taken',
    wholeNumber(0, 65_535),
  ),
  CHAIN_NAME: setting('devnet', 'name of the chain in receipts', text),
  CHAIN_ID: optional(
    'a chain with another id refuses to start; default: read from the RPC',
    wholeNumber(1, 2 ** 52),
  ),
  ATTESTATION_CONTRACT: optional('EAS on the chain in use; required with CHAIN_RPC_URL', hex(20)),
  SCHEMA_UID: optional('the schema registered there; required with CHAIN_RPC_URL', hex(32)),
  RELAYER_PRIVATE_KEY: secret('the account that attests; required with CHAIN_RPC_URL', hex(32)),
  MAX_FEE_GWEI: setting(
    '100',
    'what a unit of gas may cost at most; above it anchoring waits and says so',
    gwei,
  ),
  CHAIN_PUBLIC_RPC_URL: optional('endpoint named to readers; default <BASE_URL>/rpc', webUrl),
  CHAIN_EXPLORER_URL: optional('root of tx_url; unset: null urls', webUrl),
  ATTESTATION_EXPLORER_URL: optional('root of attscan_url; unset: null urls', webUrl),
  ANCHOR_INTERVAL_SECONDS: optional(
    'longest wait before pending hashes are folded and attested; default 60, on the devnet 2',
    wholeNumber(1, 86_400),
  ),
  ANCHOR_CONFIRMATIONS: optional(
    'depth at which an attestation is final for us, or `safe`; default `safe`, on the devnet 1',
    confirmations,
  ),
  ANCHOR_SCHEME: setting(
    'tree-v2',
    '`tree-v2`, `tree-v1` or `single`',
    oneOf('tree-v2', 'tree-v1', 'single'),
  ),
  SECURITY_CONTACT: optional(
    "where vulnerabilities are reported, an https: or mailto: URL, for /.well-known/security.txt; default the service's page about itself",
    contactUrl,
  ),
  TSA_URLS: secret(
    'time-stamping authorities (RFC 3161) that stamp each final tree, the first whose answer holds; unset: none is asked',
    webUrls,
  ),
  TSA_CERTIFICATES: optional(
    'file with the certificates (PEM) that authorities are judged by; required with TSA_URLS',
    certificateFile,
  ),
  IDENTITY_ISSUER: optional(
    'OpenID Connect issuer whose session tokens are accepted; unset: the embedded issuer',
    issuerUrl,
  ),
  IDENTITY_AUDIENCE: optional('required `aud` of access tokens; default BASE_URL', text),
  IDENTITY_EMBEDDED: optional(
    'the embedded issuer, which signs people in by a name alone; default `true` on loopback outside production; in production refused at a `BASE_URL` that others reach',
    onOff,
  ),
  IDENTITY_SCOPES: setting(
    'openid profile',
    'what the web sign-in asks for at IDENTITY_ISSUER; add `offline_access` where the issuer wants it for refresh tokens',
    scopes,
  ),
  IDENTITY_CLIENT_ID: optional("the web sign-in's client at IDENTITY_ISSUER (code flow with PKCE)", text),
  IDENTITY_CLIENT_SECRET: secret("the web sign-in client's secret; unset: a public client", text),
  IDENTITY_CLI_CLIENT_ID: setting(
    'svc-cli',
    'the public client of `svc login` at IDENTITY_ISSUER (code flow with PKCE, loopback redirect `/callback`)',
    text,
  ),
  SESSION_IDLE_SECONDS: setting(
    '86400',
    'how long a session of the pages lasts without being used',
    wholeNumber(1, 31_536_000),
  ),
  SESSION_MAX_SECONDS: setting(
    '1209600',
    'how long a session of the pages lasts at most',
    wholeNumber(1, 31_536_000),
  ),
  SOCIAL_ADAPTER: setting(
    'userinfo',
    "how the linked social identity is read: `userinfo` with the caller's token, or an administrator's call of `supabase`, `keycloak`, `auth0`, `logto`, `zitadel` or `clerk`",
    oneOf('userinfo', 'supabase', 'keycloak', 'auth0', 'logto', 'zitadel', 'clerk'),
  ),
  SOCIAL_PROVIDER: optional(
    "the social provider's name at the identity provider; required with an administrator's adapter",
    text,
  ),
  SOCIAL_ADMIN_TOKEN: secret("the administrator's token; required with an administrator's adapter", text),
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
  GUIDE_ENABLED: setting('false', 'the guide for testers (staging)', flag),
  GUIDE_READERS: setting('', "usernames, or user ids, that may read all testers' answers", list),
  OFFICIAL_ACCOUNTS: setting('', 'usernames, or user ids, with `official: true`', list),
  TRUST_PROXY: setting(
    '',
    'address ranges whose X-Forwarded-For is believed (CIDR, `loopback`, `uniquelocal`)',
    list,
  ),
  SECRET_KEYS: secret(
    'keys of 64 hex digits: the first is used, all are accepted; required with DATABASE_URL, else generated into DATA_DIR',
    keyList,
  ),
  LIVE_CONNECTIONS: setting(
    '1000',
    'open pages that are told of changes at once, in all; more ask now and then',
    wholeNumber(0, 100_000),
  ),
  LIVE_CONNECTIONS_PER_ADDRESS: setting('20', 'the same for each address', wholeNumber(0, 100_000)),
  OTEL_EXPORTER_OTLP_ENDPOINT: optional(
    'collector of traces that takes OTLP over HTTP, without `/v1/traces`; unset: nothing is traced',
    webUrl,
  ),
  OTEL_EXPORTER_OTLP_HEADERS: secret('headers for the collector, `name=value,…`', headerList),
  OTEL_SERVICE_NAME: setting('commitment-service', 'our name in traces', text),
  OTEL_TRACES_SAMPLER_ARG: setting('1', 'share of requests that are traced, 0 to 1', share),
  LOG_LEVEL: setting(
    'info',
    'pino level',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  LIMIT_KEY_PER_MINUTE: limit(60, 'requests a minute for each API key'),
  LIMIT_ANON_PER_MINUTE: limit(60, 'requests a minute for each signed-out address on lists and searches'),
  LIMIT_RPC_PER_MINUTE: limit(
    300,
    'chain reads a minute for each address: each call on /rpc, each attestation that a verification reads anew',
  ),
  LIMIT_CHAIN_READS_PER_MINUTE: limit(600, 'chain reads a minute for all addresses together'),
  LIMIT_SCORE_ETCHES: limit(
    100_000,
    'forecasts, resolutions and retractions that the service scores at once; of more, whoever wants to know computes it',
  ),
  LIMIT_MCP_PER_MINUTE: limit(
    300,
    'messages a minute for each address on /mcp, beside the limits of what its tools do',
  ),
  LIMIT_CARDS_PER_MINUTE: limit(60, 'preview pictures drawn a minute for each address'),
  LIMIT_ETCHES_KEYPAIR: limit(100, 'etches a day for a keypair agent'),
  LIMIT_ETCHES_VERIFIED: limit(250, 'etches a day for a verified agent or person'),
  LIMIT_ETCHES_HUMAN: limit(100, 'etches a day for a person without a verified social identity'),
  LIMIT_OPENINGS_PER_HOUR: limit(60, 'openings of sealed etches an hour for each account'),
  LIMIT_CHALLENGES_PER_DAY: limit(20, 'challenges a day for each account'),
  LIMIT_REGISTRATIONS_PER_HOUR: limit(10, 'agent registrations an hour for each address'),
  LIMIT_FAILED_REGISTRATIONS_PER_HOUR: limit(
    100,
    'registrations and key recoveries an hour for each address that may fail',
  ),
  LIMIT_KEYS_PER_ACCOUNT: limit(100, 'API keys in use that an account may have'),
  LIMIT_FOLLOWS_PER_ACCOUNT: limit(
    5_000,
    'accounts, topics, challenges and etches that an account may follow',
  ),
  LIMIT_GUIDE_PER_HOUR: limit(30, 'signed-out guide answers an hour for each address'),
  MIN_REVEAL_LEAD_SECONDS: limit(300, 'how far ahead reveal_at must be at least'),
  WEBHOOKS_ENABLED: setting('true', 'may accounts have events sent to a url of theirs', onOff),
  LIMIT_WEBHOOKS_PER_ACCOUNT: limit(10, 'webhooks an account may have'),
  EVENTS_KEPT_DAYS: setting(
    '90',
    'how long events and the log of webhooks can be read again, in days',
    wholeNumber(1, 100_000),
  ),
  DOMAIN_CHECK_TEST_HOSTS: setting(
    '',
    'for tests: `host=address:port,…`, exempt from the address and port rules of the domain check and of webhooks; refused in production',
    hostList,
  ),
  FAILPOINT: optional(
    'for tests: `name` or `name:n`, the process kills itself there the n-th time; refused in production',
    text,
  ),
} as const;

export type SettingName = keyof typeof SETTINGS;
export type Settings = {
  [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never;
};
