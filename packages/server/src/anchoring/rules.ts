// The limits and pauses of anchoring.
import { MAX_TREE_SIZE } from '@svc/protocol';

/** `ANCHOR_SCHEME`, for commitments. A retraction uses the form of its commitment. */
type Scheme = 'tree-v2' | 'tree-v1' | 'single';

export interface Rules {
  scheme: Scheme;
  maxFeePerGas: bigint;
  /** of chain time, before the fees are raised */
  stuckAfterSeconds: number;
  maxLeaves: number;
  /** per transaction: 40 need less than 12 million gas */
  maxAttestations: number;
  maxRevocations: number;
  /** More pause the folding: later folding makes fuller trees. */
  maxUnmined: number;
  /** nonces above the mined one: nodes keep few waiting transactions per sender */
  sendWindow: number;
  leaseSeconds: number;
  /** before the third try; doubles with each further try */
  retrySeconds: number;
  farCountSeconds: number;
  /** looks in a row that must agree before an absence counts */
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

export const PACE = { share: 0.25 };
