/** A test may end the process at these points. A name says which step happened or comes next. */

export const NORMAL_PATH = [
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

export const RETRY_PATH = [
  'after-bump-sign',
  'after-bump-store',
  'before-reopen',
  'after-reopen',
  'before-requeue',
  'after-requeue',
] as const;

const NONCE_CONFLICT = [
  'before-halt',
  'after-halt',
  'before-adopt',
  'after-adopt',
  'before-fill',
  'after-fill',
] as const;

export const FAILPOINTS = [...NORMAL_PATH, ...RETRY_PATH, ...NONCE_CONFLICT] as const;

export type FailpointName = (typeof FAILPOINTS)[number];

export type Failpoint = (name: FailpointName) => void | Promise<void>;

export const noFailpoint: Failpoint = () => {};
