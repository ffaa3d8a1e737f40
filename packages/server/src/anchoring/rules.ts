import { MAX_TREE_SIZE } from '@svc/protocol';

/**
 * How new etches are committed (docs/operating.md#settings, `ANCHOR_SCHEME`). Retractions follow their
 * commitment's form.
 */
type Scheme = 'tree-v2' | 'tree-v1' | 'single';

export interface Rules {
  scheme: Scheme;
  /** wei; no signed form ever offers more */
  maxFeePerGas: bigint;
  /** seconds of chain time an unmined transaction waits before its fees are raised */
  stuckAfterSeconds: number;
  /** leaves in one tree, at most (docs/specification.md#limits) */
  maxLeaves: number;
  /** attestations in one transaction: 40 of them stay below 12 million gas, under every chain's cap for one transaction */
  maxAttestations: number;
  maxRevocations: number;
  /** transactions on their way to a block before more are staged: later folding makes fuller trees */
  maxUnmined: number;
  /** how far beyond the mined nonce to send; nodes keep few of one sender's waiting transactions */
  sendWindow: number;
  /** the lease's length; another process takes over when it has run out */
  leaseSeconds: number;
  /** a payload whose transaction failed waits this, then twice this and so on, before the third and later tries */
  retrySeconds: number;
  /** for so long a count of our transactions far beyond the ledger must stay the same to be believed unseen */
  farCountSeconds: number;
  /** consecutive looks at the chain that must agree before an absence is acted upon */
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

/** Under more creations than the thread can take, trees must not fall behind what is created. */
export const PACE = { share: 0.25 };
