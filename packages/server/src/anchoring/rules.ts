import { MAX_TREE_SIZE } from '@svc/protocol';

/**
 * How new etches are committed (docs/operating/settings.md, `ANCHOR_SCHEME`). A retraction uses the form of its
 * commitment.
 */
type Scheme = 'tree-v2' | 'tree-v1' | 'single';

export interface Rules {
  scheme: Scheme;
  /** wei; the upper limit of every signed form */
  maxFeePerGas: bigint;
  /** seconds of chain time before the fees of an unmined transaction are raised */
  stuckAfterSeconds: number;
  /** leaves in one tree at most (docs/specification.md#limits) */
  maxLeaves: number;
  /** attestations in one transaction at most: 40 need less than 12 million gas, below every chain's limit */
  maxAttestations: number;
  maxRevocations: number;
  /** unmined transactions before folding pauses: later folding makes fuller trees */
  maxUnmined: number;
  /** how far above the mined nonce to send; nodes keep few waiting transactions of one sender */
  sendWindow: number;
  /** after this time without renewal, another process takes over */
  leaseSeconds: number;
  /** wait before the third try of a failed payload; doubles with each further try */
  retrySeconds: number;
  /** how long an unproven count far above the ledger must stay the same to be believed */
  farCountSeconds: number;
  /** consecutive looks at the chain that must agree before an absence counts */
  looks: number;
}

export const DEFAULT_RULES: Rules = {
  scheme: 'tree-v2',
  maxFeePerGas: 100n * 10n ** 9n,
  stuckAfterSeconds: 60,
  maxLeaves: MAX_TREE_SIZE,
  maxAttestations: 40,
  maxRevocations: 100,
  maxUnmined: 8,
  sendWindow: 16,
  leaseSeconds: 10,
  retrySeconds: 10,
  farCountSeconds: 600,
  looks: 3,
};

/** The share of the thread that folding may use, so that trees keep up with creations under full load. */
export const PACE = { share: 0.25 };
