// How the house is built: which package may import which, and the rooms of the server from the ground up. The linter takes
// its walls from here (eslint.config.js), a test counts what the linter does not see (types among it), and CONTRIBUTING.md's
// tables are held against it. Why it is cut so: docs/decisions/0016-rooms-with-a-direction.md.

/** What each package may import of the others. */
export const PACKAGES = {
  protocol: [],
  contract: ['protocol'],
  verifier: ['protocol'],
  sdk: ['contract', 'protocol', 'verifier'],
  cli: ['protocol', 'verifier', 'sdk'],
  mcp: ['contract', 'protocol', 'verifier', 'sdk'],
  web: ['contract', 'protocol', 'verifier'],
  server: ['contract', 'protocol', 'verifier', 'mcp', 'web'],
};

/**
 * The rooms of the server, the first level below its `src`, from the ground up. A room imports from the layers below its own
 * and from nothing else: rooms of one layer do not know each other.
 */
export const LAYERS = [
  ['errors', 'db'],
  ['flow', 'chain', 'search-index', 'events', 'secrets', 'settings', 'traces', 'scheduler'],
  ['anchoring', 'outgoing'],
  ['identity'],
  ['accounts', 'etches'],
  ['challenges', 'records', 'guide'],
  ['acts', 'discovery', 'follows', 'webhooks', 'vitals'],
  ['start', 'http'],
  ['admin', 'service'],
  ['main.ts', 'devnet-main.ts'],
];

/** Rooms that only these may import, though they lie below others too. */
export const ONLY_FOR = {
  anchoring: {
    rooms: ['vitals', 'http', 'admin', 'service', 'main.ts'],
    why: 'anchoring and etches meet in rows',
  },
  chain: {
    rooms: ['anchoring', 'vitals', 'start', 'http', 'admin', 'service', 'devnet-main.ts'],
    why: 'what is etched knows no chain',
  },
};

/**
 * Imports that run upward all the same, each with its reason: `{ from, to, why }`, files below the server's `src`. At most three, and none may
 * close a circle.
 */
export const UPWARD = [];
