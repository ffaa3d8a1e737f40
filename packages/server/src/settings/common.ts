import {
  calendarUrls,
  certificateFile,
  confirmations,
  contactUrl,
  gwei,
  limit,
  list,
  oneOf,
  optional,
  policyFile,
  processCount,
  redisUrl,
  secret,
  setting,
  text,
  webUrl,
  webUrls,
  wholeNumber,
} from './values.ts';

export const COMMON = {
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
    'requests a minute per API key; an address may send five times as many messages to /mcp',
  ),
  LIMIT_ANON_PER_MINUTE: limit(
    60,
    'signed-out requests a minute per address on lists, searches and proofs of the log, and as many preview pictures',
  ),
  LIMIT_RPC_PER_MINUTE: limit(
    300,
    'chain reads a minute per address (calls on /rpc, attestations that a verification reads); all addresses together may make twice as many',
  ),
  LIMIT_ETCHES_KEYPAIR: limit(100, 'etches a day for a keypair agent'),
  LIMIT_ETCHES_VERIFIED: limit(250, 'etches a day for a verified agent or person'),
  LIMIT_ETCHES_HUMAN: limit(100, 'etches a day for a person without a verified social identity'),
} as const;
