/**
 * Points between two steps of anchoring where a test may end the process. A name says which step just happened or comes
 * next.
 */

/** On the path of every etch. */
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

/** When a fee is raised, or the chain lost a block. */
export const IN_TROUBLE = [
  'after-bump-sign',
  'after-bump-store',
  'before-reopen',
  'after-reopen',
  'before-requeue',
  'after-requeue',
] as const;

/** When the ledger and the chain disagree: a node hides a transaction, or the database is older than the chain. */
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

/** The action at a failpoint: none in production, a throw or a SIGKILL in tests. */
export type Failpoint = (name: FailpointName) => void | Promise<void>;

export const noFailpoint: Failpoint = () => {};
