/**
 * Places between every two steps of anchoring at which a test may end the process. The names
 * say what has happened last, or what would come next.
 */

/** Where every etch passes. */
export const ON_THE_WAY = [
  'after-collect',
  'before-stage-commit',
  'after-stage',
  'after-sign',
  'after-store',
  'before-send',
  'after-send-before-mark',
  'after-send',
  'before-mined',
  'after-mined',
  'before-final',
  'after-final',
] as const;

/** Where a chain in trouble leads. */
export const IN_TROUBLE = [
  'after-bump-sign',
  'after-bump-store',
  'before-reopen',
  'after-reopen',
  'before-requeue',
  'after-requeue',
] as const;

/** Where one leads that does not fit the ledger: a node that shows too little, a database that is older than the chain. */
const IN_DISAGREEMENT = [
  'before-halt',
  'after-halt',
  'before-adopt',
  'after-adopt',
  'before-fill',
  'after-fill',
] as const;

export const FAILPOINTS = [...ON_THE_WAY, ...IN_TROUBLE, ...IN_DISAGREEMENT] as const;

export type FailpointName = (typeof FAILPOINTS)[number];

/** What to do at a named place: nothing in service, a throw or a SIGKILL under test. */
export type Failpoint = (name: FailpointName) => void | Promise<void>;

export const noFailpoint: Failpoint = () => {};
