/**
 * Places between every two steps of anchoring at which a test may end the process. The names
 * say what has happened last, or what would come next.
 */
export const FAILPOINTS = [
  'after-collect',
  'before-seal-commit',
  'after-seal',
  'after-sign',
  'after-store',
  'before-send',
  'after-send-before-mark',
  'after-send',
  'before-mined',
  'after-mined',
  'before-settle',
  'after-settle',
  'after-bump-sign',
  'after-bump-store',
  'before-reopen',
  'after-reopen',
  'before-requeue',
  'after-requeue',
] as const;

export type FailpointName = (typeof FAILPOINTS)[number];

/** What to do at a named place: nothing in service, a throw or a SIGKILL under test. */
export type Failpoint = (name: FailpointName) => void | Promise<void>;

export const noFailpoint: Failpoint = () => {};
