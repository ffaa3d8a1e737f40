// The architecture. The linter reads the import rules from here (eslint.config.js). packages/server/test/architecture checks
// every import, types included. Reasons: docs/decisions/0016-module-layers.md.

/** Packages that each package may import. */
export const PACKAGES = {
  protocol: [],
  contract: ['protocol'],
  verifier: ['protocol'],
  timestamp: ['protocol', 'verifier'],
  sdk: ['contract', 'protocol', 'verifier'],
  cli: ['contract', 'protocol', 'verifier', 'timestamp', 'sdk'],
  mcp: ['contract', 'protocol', 'verifier', 'timestamp', 'sdk', 'cli'],
  web: ['contract', 'protocol', 'verifier', 'timestamp'],
  server: ['cli', 'contract', 'protocol', 'verifier', 'timestamp', 'mcp', 'web'],
};

/** Packages that folders outside may import. `e2e/` and `bench/` may import all. */
export const OUTSIDE_PACKAGES = {
  testing: ['contract', 'protocol', 'verifier', 'web', 'cli', 'server'],
  scripts: ['contract', 'server'],
};

/** Modules of the server from the lowest layer up. A module imports only from lower layers, never from its own. */
export const LAYERS = [
  ['db'],
  ['settings', 'chain', 'search-index', 'events'],
  ['platform'],
  ['proofs'],
  ['anchoring', 'identity'],
  ['accounts', 'etches'],
  ['challenges'],
  ['records', 'guide', 'acts', 'discovery', 'notify', 'vitals'],
  ['http', 'tombstones'],
  ['service'],
  ['admin', 'main.ts', 'devnet-main.ts'],
];

export const MODULES = {
  db: 'PostgreSQL and PGlite behind one interface, transactions, migrations, the clock',
  settings: 'every setting, and the configuration made from them',
  chain: 'reads from and sends to a chain; the embedded devnet',
  'search-index': 'texts, names and counts in a form that can be searched',
  events: 'what happened, in one order for all readers',
  platform:
    'errors, keys and random bytes, bounded queues, tasks, traces, requests to hosts that a user named, reads from a standby',
  proofs:
    'what proves an attestation: its block, the log of trees and its index of accounts, time stamps, OpenTimestamps',
  anchoring: 'folds hashes into trees, attests trees on the chain, recovers after a crash',
  identity: 'the caller: API keys, tokens of an issuer, the embedded issuer, sessions of the pages',
  accounts: 'accounts, their keys, allowances, and who vouches for them',
  etches: 'an etch as stored, shown, opened, proven and verified; rounds of the drand chain',
  challenges: 'a challenge as stored, shown and listed',
  records: 'the whole record of an account, as JSON and as a document, and its scores',
  guide: 'the guide for testers',
  acts: 'changes that are final: etch, reveal, retract, erase, open a challenge',
  discovery: 'searches and the feed',
  notify: 'webhooks, and what accounts follow and watch',
  vitals: 'readiness, metrics, the data of the status page',
  http: 'all of HTTP: the routes of the API, the pages, the tools',
  tombstones: 'tombstones on the chain that a restored database does not know, and their etches',
  service:
    'connects to the database, chain, Redis and other processes; assembles, starts and stops the modules',
  admin: 'svc-admin: backup, archive, checks, changes by the operator',
  'main.ts': 'the service as a process',
  'devnet-main.ts': 'the embedded chain alone',
};

/** Only these importers may use the module. */
export const ONLY_FOR = {
  anchoring: {
    modules: ['vitals', 'http', 'tombstones', 'admin', 'service', 'main.ts'],
    why: 'anchoring and etches meet in rows',
  },
  chain: {
    modules: [
      'main.ts',
      'proofs',
      'anchoring',
      'vitals',
      'http',
      'tombstones',
      'admin',
      'service',
      'devnet-main.ts',
    ],
    why: 'creating and showing etches does not depend on a chain',
  },
};

/**
 * Folders that may not import these files and folders, though the layers allow it. Paths are relative to the
 * server's `src`.
 */
export const APART = {
  'anchoring/decide': {
    of: ['db', 'anchoring/steps', 'anchoring/recovery', 'anchoring/sequence.ts'],
    /** only types may be imported from these */
    shapesOf: ['anchoring/ledger'],
    why: 'a decision reads and writes nothing outside its input',
  },
};

/** Allowed imports from higher layers, as `{ from, to, why }`. At most three, and none may close a cycle. */
export const UPWARD = [];

/** The module that writes each table. Every module may read. */
export const TABLES = {
  schema_migration: 'db',
  clock_mark: 'db',
  secret_check: 'platform',
  chain_state: 'anchoring',
  lease: 'anchoring',
  anchor_job: 'anchoring',
  anchor_tx: 'anchoring',
  tx_attempt: 'anchoring',
  batch: 'anchoring',
  batch_leaf: 'anchoring',
  former_chain: 'anchoring',
  former_tx: 'anchoring',
  former_attestation: 'anchoring',
  evidence: 'proofs',
  witness: 'proofs',
  account_index: 'proofs',
  account_index_state: 'proofs',
  log_entry: 'proofs',
  log_hash: 'proofs',
  log_checkpoint: 'proofs',
  log_cosignature: 'proofs',
  log_witness: 'proofs',
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
  issuer_grant: 'identity',
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
  resolution: 'events',
  resolution_queue: 'events',
  resolution_told: 'events',
  operator_act: 'acts',
  webhook: 'notify',
  webhook_delivery: 'notify',
  webhook_old_secret: 'notify',
  follow: 'notify',
  inbox_seen: 'notify',
  guide_answer: 'guide',
};

/** Modules that also write a table of a different module. */
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
  { module: 'admin', table: 'issuer_grant', why: 'a restored copy has no valid sessions' },
];

/** Only the statements of these files may take a table's name as a parameter. */
export const WRITES_ANY = {
  files: ['admin/archive/import.ts', 'admin/archive/tables.ts'],
  why: 'the import writes every table of an archive into an empty service, in one transaction',
};

/** Files with SQL outside `db/`, `anchoring/ledger/`, `admin/` and the files named `store.ts` or `…-store.ts`. */
export const SQL_ELSEWHERE = [
  'accounts/official.ts',
  'acts/vacuum.ts',
  'identity/authenticate.ts',
  'platform/secrets/secret-keys.ts',
  'proofs/log/checkpoints.ts',
  'proofs/log/entries.ts',
];
