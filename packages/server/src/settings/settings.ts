import type { ValuesOf } from './environment.ts';
import {
  calendarUrls,
  certificateFile,
  clientIds,
  confirmations,
  contactUrl,
  drandChain,
  flag,
  gwei,
  hex,
  hostList,
  issuerUrl,
  keyList,
  limit,
  list,
  oneOf,
  onOff,
  optional,
  origin,
  origins,
  policyFile,
  postgresUrl,
  processCount,
  redisUrl,
  secret,
  setting,
  socialAdapter,
  standbyUrl,
  text,
  webUrl,
  webUrls,
  wholeNumber,
} from './values.ts';

const IN_PRODUCTION = {
  NODE_ENV: setting(
    'development',
    '`production`, `development` or `test`; `production` rejects settings that are only for trials',
    oneOf('production', 'development', 'test'),
    'production',
  ),
  BASE_URL: optional(
    'public origin of every URL that the service writes; default http://<HOST>:<PORT>',
    origin,
    'https://svc.example.org',
  ),
  DATABASE_URL: secret(
    'PostgreSQL connection string; with several servers (`host:port,host:port`) the writable one is used; `?pool_size=` is the maximum number of connections per process (10), and `?pooler=transaction` avoids session settings and prepared statements for a pooler in transaction mode (any version of PgBouncer); unset: PGlite in DATA_DIR',
    postgresUrl,
    'postgres://svc:password@127.0.0.1:5432/svc',
  ),
  SECRET_KEYS: secret(
    'encryption keys of 64 hex digits: the first encrypts, all decrypt; required with DATABASE_URL, otherwise generated in DATA_DIR',
    keyList,
    '64 hex digits, from: openssl rand -hex 32',
  ),
  CHAIN_RPC_URL: secret(
    'JSON-RPC endpoints of the chain, tried in order; unset: embedded anvil',
    webUrls,
    'https://rpc.example.org/v1/key',
  ),
  CHAIN_NAME: setting('devnet', 'name of the chain in receipts', text, 'base'),
  ATTESTATION_CONTRACT: optional(
    'address of the EAS contract on the chain; required with CHAIN_RPC_URL',
    hex(20),
    '0x4200000000000000000000000000000000000021',
  ),
  SCHEMA_UID: optional('UID of the schema registered there; required with CHAIN_RPC_URL', hex(32), '0x…'),
  RELAYER_PRIVATE_KEY: secret(
    'private key of the account that attests; required with CHAIN_RPC_URL',
    hex(32),
    '0x…',
  ),
  IDENTITY_ISSUER: optional(
    'OpenID Connect issuer whose session tokens are accepted; `?scope=` replaces the requested scopes `openid profile`; unset: the embedded issuer',
    issuerUrl,
    'https://id.example.org',
  ),
  IDENTITY_CLIENT_ID: optional(
    'client id of the web sign-in at IDENTITY_ISSUER (code flow with PKCE); after a comma that of `svc login`, default `svc-cli` (a public client, loopback redirect `/callback`)',
    clientIds,
    'svc-web',
  ),
  TRUST_PROXY: setting(
    '',
    'address ranges of proxies whose X-Forwarded-For is trusted (CIDR, `loopback`, `uniquelocal`)',
    list,
    '127.0.0.1/32',
  ),
} as const;

const COMMON = {
  HOST: setting('127.0.0.1', 'address to listen on', text),
  PORT: setting('3000', 'port to listen on; 0 picks a free port', wholeNumber(0, 65_535)),
  PROCESSES: setting(
    '1',
    'number of processes that share the port, or `auto` for one per core; more than one requires DATABASE_URL and CHAIN_RPC_URL',
    processCount,
  ),
  DATA_DIR: setting(
    './data',
    'folder of the embedded database, the chain state and generated secrets (mode 0600); the start reads two files of the operator there: `notice.txt` is a line at the top of every page, and `webhooks-off` turns webhooks off',
    text,
  ),
  LEDGER_DIR: optional(
    'folder of the ledgers of erasures and revocations and of the last checkpoint, outside the database; use another disk; default DATA_DIR',
    text,
  ),
  REDIS_URL: secret(
    'Redis URL for request counts that several replicas share; unset: each counts in memory',
    redisUrl,
  ),
  CHAIN_ID: optional(
    'expected chain id; the service does not start on any other chain; default: the id that the RPC reports',
    wholeNumber(1, 2 ** 52),
  ),
  MAX_FEE_GWEI: setting(
    '100',
    'maximum price of a unit of gas, in gwei; above it anchoring waits and logs the reason',
    gwei,
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
  TSA_URLS: secret(
    'time-stamping authorities (RFC 3161) for each final tree; the first valid stamp is used; unset: trees get no time stamp',
    webUrls,
  ),
  TSA_CERTIFICATES: optional(
    'file with the certificates (PEM) of trusted authorities; required with TSA_URLS',
    certificateFile,
  ),
  OTS_CALENDARS: optional(
    'OpenTimestamps calendars for each final tree, separated by commas; all of them are used; unset: trees get no OpenTimestamps proof',
    calendarUrls,
  ),
  WITNESS_POLICY: optional(
    'file with the witnesses of the log of trees, each with its URL, and their quorum (C2SP tlog-policy); unset: no witness gets checkpoints',
    policyFile,
  ),
  DRAND_URLS: secret(
    'relays of that chain, from which the service fetches rounds for readers of blind seals; the first valid answer is used; unset: no rounds are fetched',
    webUrls,
  ),
  IDENTITY_AUDIENCE: optional('required `aud` of access tokens; default BASE_URL', text),
  IDENTITY_CLIENT_SECRET: secret('client secret of the web sign-in; unset: a public client', text),
  OFFICIAL_ACCOUNTS: setting('', 'usernames or user ids that get `official: true`', list),
  OPERATOR_NAME: optional(
    'the person or organization that runs this service, as the page about the service shows it; unset: the page says that no name was given',
    text,
  ),
  SECURITY_CONTACT: optional(
    'where to report vulnerabilities, an https: or mailto: URL, for /.well-known/security.txt; default: the page about the service',
    contactUrl,
  ),
  LOG_LEVEL: setting(
    'info',
    'minimum level of log lines (pino)',
    oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  ),
  LIMIT_KEY_PER_MINUTE: limit(
    60,
    'requests a minute per API key, and replays of erased etches per account; an address may send five times as many messages to /mcp',
  ),
  LIMIT_ANON_PER_MINUTE: limit(
    60,
    'signed-out requests a minute per address on lists, searches, scores, pages with scores and proofs of the log, and as many preview pictures',
  ),
  LIMIT_RPC_PER_MINUTE: limit(
    300,
    'chain reads a minute per address (calls on /rpc, attestations that a verification reads); all addresses together may make twice as many',
  ),
  LIMIT_ETCHES_KEYPAIR: limit(100, 'etches a day for a keypair agent'),
  LIMIT_ETCHES_VERIFIED: limit(250, 'etches a day for a verified agent or person'),
  LIMIT_ETCHES_HUMAN: limit(100, 'etches a day for a person without a verified social identity'),
} as const;

const RARE = {
  DATABASE_READ_URL: secret(
    'connection string of the standbys of DATABASE_URL (`host:port,host:port`); a standby answers searches, lists, the feed and the first page; `pooler` defaults to that of DATABASE_URL; unset: the primary does',
    standbyUrl,
  ),
  CHAIN_READ_RPC_URL: secret(
    'JSON-RPC endpoints for requests of readers (/rpc, /verify), tried in order; unset: CHAIN_RPC_URL',
    webUrls,
  ),
  DRAND_CHAIN: setting(
    'quicknet',
    'drand chain that openings and blind seals are encrypted to: `quicknet`, a file with the answer of its /<chain hash>/info, or `off` to have neither',
    drandChain,
  ),
  DEVNET_PORT: setting(
    '8545',
    'port of the embedded anvil (loopback only); a free port if this one is in use',
    wholeNumber(0, 65_535),
  ),
  CHAIN_PUBLIC_RPC_URL: optional(
    'JSON-RPC endpoint that the service publishes to readers; default <BASE_URL>/rpc',
    webUrl,
  ),
  ANCHOR_SCHEME: setting(
    'tree-v2',
    'how hashes are attested: `tree-v2`, `tree-v1` or `single`',
    oneOf('tree-v2', 'tree-v1', 'single'),
  ),
  IDENTITY_EMBEDDED: optional(
    'whether the embedded issuer runs, which signs people in without a password; default `true` on loopback outside production; in production rejected with a `BASE_URL` that is not loopback',
    onOff,
  ),
  SOCIAL_ADAPTER: setting(
    'userinfo',
    "how the linked social identity is read: `userinfo` uses the caller's token; an administrator's token is used for `supabase`, `keycloak`, `auth0`, `logto`, `zitadel` or `clerk`; `<name>=<URL>` names the root of the administrator's API, which is otherwise derived from IDENTITY_ISSUER (`clerk`: https://api.clerk.com)",
    socialAdapter,
  ),
  SOCIAL_PROVIDER: optional(
    "the social provider's name at the identity provider; required unless SOCIAL_ADAPTER is `userinfo`",
    text,
  ),
  SOCIAL_ADMIN_TOKEN: secret("the administrator's token; required unless SOCIAL_ADAPTER is `userinfo`", text),
  IDENTITY_SOCIAL_CLAIM: setting('social_handle', 'claim with the social handle (`userinfo`)', text),
  IDENTITY_SOCIAL_VERIFIED_CLAIM: setting(
    'social_verified_at',
    'claim with the time of its verification (`userinfo`); a handle without a time counts as verified now',
    text,
  ),
  MCP_ORIGINS: setting(
    '',
    'further origins whose web pages may call /mcp, besides BASE_URL and loopback (`https://host`, comma-separated)',
    origins,
  ),
  GUIDE_ENABLED: setting('false', 'whether the guide for testers is shown (staging)', flag),
  GUIDE_READERS: setting('', 'usernames or user ids that may read the answers of all testers', list),
  LIMIT_CHALLENGES_PER_DAY: limit(20, 'challenges a day per account'),
  LIMIT_REGISTRATIONS_PER_HOUR: limit(
    10,
    'agent registrations an hour per address (ten times as many may fail), and as many of MCP clients at the embedded issuer; unset: none for programs on the machine of a service that only this machine reaches, with the embedded chain',
  ),
  LIMIT_GUIDE_PER_HOUR: limit(30, 'signed-out guide answers an hour per address'),
  MIN_REVEAL_LEAD_SECONDS: limit(300, 'minimum time until `reveal_at`, in seconds'),
} as const;

/** Headings in docs/operating/settings.md and `.env.example`. */
export const GROUPS = [
  ['Required in production', IN_PRODUCTION],
  ['Common', COMMON],
  ['Rare', RARE],
] as const;

/** scripts/docs.mjs writes both documents from this list. */
export const SETTINGS = { ...IN_PRODUCTION, ...COMMON, ...RARE };

const number = wholeNumber(0, 1_000_000_000);
const constant = (value: number) => setting(String(value), 'replaces a constant', number);
const derived = optional('replaces a derived limit', number);

/** Production rejects these. */
export const TEST_SETTINGS = {
  /** `name:n` means the n-th time */
  FAILPOINT: optional('kills the process', text),
  /** `host=address:port,…` */
  DOMAIN_CHECK_TEST_HOSTS: setting('', 'exempts hosts from a security check', hostList),
  TEST_SEARCH_TIMEOUT_MS: constant(5_000),
  TEST_SESSION_IDLE_SECONDS: constant(86_400),
  TEST_SESSION_MAX_SECONDS: constant(14 * 86_400),
  /** more open pages poll */
  TEST_LIVE_CONNECTIONS: constant(1_000),
  TEST_LIVE_CONNECTIONS_PER_ADDRESS: constant(20),
  TEST_LIMIT_SCORE_ETCHES: constant(100_000),
  TEST_LIMIT_OPENINGS_PER_HOUR: constant(60),
  TEST_LIMIT_KEYS_PER_ACCOUNT: constant(100),
  TEST_LIMIT_FOLLOWS_PER_ACCOUNT: constant(5_000),
  TEST_LIMIT_WEBHOOKS_PER_ACCOUNT: constant(10),
  TEST_LIMIT_MCP_PER_MINUTE: derived,
  TEST_LIMIT_CARDS_PER_MINUTE: derived,
  TEST_LIMIT_FAILED_REGISTRATIONS_PER_HOUR: derived,
} as const;

export const ALL_SETTINGS = { ...SETTINGS, ...TEST_SETTINGS };

export type SettingName = keyof typeof SETTINGS;
export type Settings = ValuesOf<typeof ALL_SETTINGS>;
