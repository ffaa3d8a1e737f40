// How the house is built: which package may import which, and the rooms of the server from the ground up. The linter takes its
// walls from here (eslint.config.js); a test (packages/server/test/house) counts them too, imports of types among them, and holds
// CONTRIBUTING.md's tables against them. Why it is cut so: docs/decisions/0016-rooms-with-a-direction.md.

/** What each package may import of the others. */
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

/** What stands beside the packages and says what of them it takes; whole systems and measurements take what they run. */
export const BESIDE = {
  testing: ['contract', 'protocol', 'verifier', 'web', 'server'],
  scripts: ['contract', 'sdk', 'server'],
};

/**
 * The rooms of the server, the first level below its `src`, from the ground up. A room imports from the layers below its own
 * and from nothing else: rooms of one layer do not know each other.
 */
export const LAYERS = [
  ['errors', 'db'],
  ['flow', 'chain', 'search-index', 'events', 'secrets', 'settings', 'traces', 'scheduler'],
  ['witnesses', 'standby'],
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

/** Rooms that only these may import, though they lie below others too. */
export const ONLY_FOR = {
  anchoring: {
    rooms: ['vitals', 'http', 'tombstones', 'admin', 'service', 'main.ts'],
    why: 'anchoring and etches meet in rows',
  },
  chain: {
    rooms: [
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
    why: 'what is etched knows no chain',
  },
};

/** Folders that may not import these files and folders, below the server's `src`, though they lie in one room or below. */
export const APART = {
  'anchoring/decide': {
    of: ['db', 'anchoring/steps', 'anchoring/recovery', 'anchoring/sequence.ts'],
    /** of these it knows the shapes, and calls nothing */
    shapesOf: ['anchoring/ledger'],
    why: 'a decision asks nobody and writes nothing',
  },
};

/**
 * Imports that run upward all the same, each with its reason: `{ from, to, why }`, files below the server's `src`. At most three, and none may
 * close a circle.
 */
export const UPWARD = [];

/** Which room writes a table. Whoever else reads it; what changes facts for ever is written in acts. */
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
  scrub_mark: 'acts',
  withheld: 'acts',
  chain_tombstone: 'tombstones',
  tombstone_search: 'tombstones',
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
  operator_act: 'acts',
  webhook: 'webhooks',
  webhook_delivery: 'webhooks',
  webhook_old_secret: 'webhooks',
  follow: 'follows',
  inbox_seen: 'follows',
  guide_answer: 'guide',
};

/** Rooms that write a table which is another's, each with its reason. */
export const WRITES_TOO = [
  {
    room: 'acts',
    table: 'anchor_job',
    why: 'an etch or a tombstone and its job are one commit; acts and anchoring meet in rows',
  },
  {
    room: 'acts',
    table: 'idempotency',
    why: 'creating is one statement: the key is bound with the etch it made',
  },
  { room: 'acts', table: 'allowance', why: 'creating is one statement: what it costs is spent with it' },
  {
    room: 'acts',
    table: 'search_queue',
    why: 'creating is one statement: the note for the search is part of it',
  },
  { room: 'admin', table: 'search_queue', why: 'an imported archive is searched anew' },
  { room: 'admin', table: 'web_session', why: 'a restored copy signs nobody in' },
];

/** Files whose statements write tables by names that they are given, with the reason. No other statement may. */
export const WRITES_ANY = {
  files: ['admin/archive/import.ts', 'admin/archive/tables.ts'],
  why: 'the import writes every table of an archive into an empty service, in one transaction',
};

/**
 * Where SQL stands: in `db/`, in anchoring's `ledger/`, in files named `store.ts` or `…-store.ts`, and all over `admin/`, which looks at
 * the database as such. Each of these files is about one thing, which its few statements are a part of.
 */
export const SQL_BESIDE = [
  'accounts/official.ts',
  'acts/vacuum.ts',
  'identity/authenticate.ts',
  'secrets/secret-keys.ts',
];
