// The architecture: which package may import which, and the modules of the server from the lowest layer up. The linter reads the
// import rules from here (eslint.config.js); a test (packages/server/test/house) counts every import, types included. Why the layers are
// cut this way: docs/decisions/0016-rooms-with-a-direction.md.

/** Which other packages each package may import. */
export const PACKAGES = {
  protocol: [],
  contract: ['protocol'],
  verifier: ['protocol'],
  timestamp: ['protocol', 'verifier'],
  sdk: ['contract', 'protocol', 'verifier'],
  cli: ['protocol', 'verifier', 'timestamp', 'sdk'],
  mcp: ['contract', 'protocol', 'verifier', 'timestamp', 'sdk', 'cli'],
  web: ['contract', 'protocol', 'verifier', 'timestamp'],
  server: ['contract', 'protocol', 'verifier', 'timestamp', 'mcp', 'web'],
};

/** Folders outside the packages, and which packages they may import. `e2e/` and `bench/` may import all. */
export const OUTSIDE_PACKAGES = {
  testing: ['contract', 'protocol', 'verifier', 'web', 'server'],
  scripts: ['sdk', 'server'],
};

/**
 * The modules of the server, the first level below its `src`, from the lowest layer up. A module imports only from lower layers, never from
 * its own.
 */
export const LAYERS = [
  ['errors', 'db'],
  ['flow', 'chain', 'search-index', 'events', 'secrets', 'settings', 'traces', 'scheduler'],
  ['witnesses', 'tlog', 'standby'],
  ['evidence'],
  ['anchoring', 'outgoing'],
  ['identity'],
  ['accounts', 'etches'],
  ['challenges', 'records', 'guide', 'beacons'],
  ['acts', 'discovery', 'follows', 'scores', 'webhooks', 'vitals'],
  ['start', 'http', 'tombstones'],
  ['admin', 'service', 'processes'],
  ['main.ts', 'devnet-main.ts'],
];

/** The content of each module. */
export const MODULES = {
  errors: 'the nine error codes, each with a message that says what to do',
  db: 'PostgreSQL and PGlite behind one interface, transactions, migrations, the clock',
  flow: 'callers that share one run, bounded queues, time slices',
  chain: 'reads from and sends to a chain; the embedded devnet',
  'search-index': 'texts, names and counts in a form that can be searched',
  events: 'what happened, in one order for all readers',
  secrets: 'keys derived from SECRET_KEYS and the check of them; random bytes, SHA-256',
  settings: 'every setting, and the configuration made from them',
  traces: 'where the time of a request goes',
  scheduler: 'repeats tasks next to the requests',
  witnesses: 'time stamps and OpenTimestamps proofs over the data of a tree',
  tlog: 'the log of trees: entries, tiles, checkpoints, cosignatures of witnesses',
  standby: 'decides when a standby may answer a list in place of the primary',
  evidence: 'proves an attestation by its block alone, made when it is final',
  anchoring: 'folds hashes into trees, attests trees on the chain, recovers after a crash',
  outgoing: 'requests to hosts that a user named',
  identity: 'the caller: API keys, tokens of an issuer, the embedded issuer, sessions of the pages',
  accounts: 'accounts, their keys, allowances, and who vouches for them',
  etches: 'an etch as stored, shown, opened, proven and verified',
  challenges: 'a challenge as stored, shown and listed',
  records: 'the whole record of an account, as JSON and as a document',
  guide: 'the guide for testers',
  beacons: 'rounds of the pinned drand chain, read from relays and checked',
  acts: 'changes that are final: etch, reveal, retract, erase, open a challenge',
  discovery: 'searches and the feed',
  follows: 'what accounts follow and watch',
  scores: 'scores of forecasts, from public data',
  webhooks: 'sends events to the URLs of accounts',
  vitals: 'readiness, metrics, the data of the status page',
  start: 'connects to database, chain, Redis and the other processes',
  http: 'all of HTTP: the routes of the API, the pages, the tools',
  tombstones: 'tombstones on the chain that a restored database does not know, and their etches',
  admin: 'svc-admin: backup, archive, checks, changes by the operator',
  service: 'assembles the modules, starts and stops them',
  processes: 'starts the processes that serve one port, replaces them, counts for them',
  'main.ts': 'the service as a process',
  'devnet-main.ts': 'the embedded chain alone',
};

/** Modules that only these may import. */
export const ONLY_FOR = {
  anchoring: {
    modules: ['vitals', 'http', 'tombstones', 'admin', 'service', 'main.ts'],
    why: 'anchoring and etches meet in rows',
  },
  chain: {
    modules: [
      'main.ts',
      'evidence',
      'anchoring',
      'vitals',
      'start',
      'http',
      'tombstones',
      'admin',
      'service',
      'devnet-main.ts',
    ],
    why: 'creating and showing etches does not depend on a chain',
  },
};

/** Folders that may not import these files and folders of their own module or of lower ones. Paths start at the server's `src`. */
export const APART = {
  'anchoring/decide': {
    of: ['db', 'anchoring/steps', 'anchoring/recovery', 'anchoring/sequence.ts'],
    /** may import only types from these */
    shapesOf: ['anchoring/ledger'],
    why: 'a decision reads and writes nothing outside its input',
  },
};

/** Upward imports that are allowed, as `{ from, to, why }`. At most three, and none may close a cycle. */
export const UPWARD = [];

/** Which module writes each table. Every module may read. */
export const TABLES = {
  schema_migration: 'db',
  clock_mark: 'db',
  secret_check: 'secrets',
  chain_state: 'anchoring',
  lease: 'anchoring',
  anchor_job: 'anchoring',
  anchor_tx: 'anchoring',
  tx_attempt: 'anchoring',
  batch: 'anchoring',
  batch_leaf: 'anchoring',
  evidence: 'evidence',
  witness: 'witnesses',
  log_entry: 'tlog',
  log_hash: 'tlog',
  log_checkpoint: 'tlog',
  log_cosignature: 'tlog',
  log_witness: 'tlog',
  account: 'accounts',
  api_key: 'accounts',
  used_signature: 'accounts',
  allowance: 'accounts',
  idempotency: 'accounts',
  idempotency_guess: 'accounts',
  official_account: 'accounts',
  web_session: 'identity',
  revocation: 'identity',
  embedded_person: 'identity',
  etch: 'acts',
  erasure: 'acts',
  description_takedown: 'acts',
  scrub_mark: 'acts',
  withheld: 'acts',
  chain_tombstone: 'tombstones',
  tombstone_search: 'tombstones',
  earlier_attestation: 'tombstones',
  challenge: 'acts',
  challenge_tally: 'acts',
  etch_search: 'search-index',
  account_search: 'search-index',
  challenge_search: 'search-index',
  account_count: 'search-index',
  topic_count: 'search-index',
  search_queue: 'search-index',
  event: 'events',
  event_queue: 'events',
  event_state: 'events',
  anchored_queue: 'events',
  anchored_told: 'events',
  challenge_closing: 'events',
  resolution_queue: 'events',
  resolution_told: 'events',
  operator_act: 'acts',
  webhook: 'webhooks',
  webhook_delivery: 'webhooks',
  webhook_old_secret: 'webhooks',
  follow: 'follows',
  inbox_seen: 'follows',
  guide_answer: 'guide',
};

/** Modules that also write a table of another module, each with the reason. */
export const WRITES_TOO = [
  {
    module: 'acts',
    table: 'anchor_job',
    why: 'an etch or a tombstone and its job are one commit; acts and anchoring meet in rows',
  },
  {
    module: 'acts',
    table: 'idempotency',
    why: 'creating is one statement, which also binds the key to the etch',
  },
  { module: 'acts', table: 'allowance', why: 'creating is one statement, which also spends its cost' },
  {
    module: 'acts',
    table: 'search_queue',
    why: 'creating is one statement, which also queues the etch for the search index',
  },
  { module: 'admin', table: 'search_queue', why: 'an imported archive is indexed again' },
  { module: 'admin', table: 'web_session', why: 'a restored copy has no valid sessions' },
];

/** Files whose statements take the table's name as a parameter. No other file may. */
export const WRITES_ANY = {
  files: ['admin/archive/import.ts', 'admin/archive/tables.ts'],
  why: 'the import writes every table of an archive into an empty service, in one transaction',
};

/** Files with SQL outside `db/`, `anchoring/ledger/`, `admin/` and the files named `store.ts` or `…-store.ts`. */
export const SQL_ELSEWHERE = [
  'accounts/official.ts',
  'acts/vacuum.ts',
  'identity/authenticate.ts',
  'secrets/secret-keys.ts',
  'tlog/checkpoints.ts',
  'tlog/entries.ts',
];
