export { createAnchoring, type Anchoring, type AnchoringOptions } from './anchoring.ts';
export { findBatch, listBatches, type Batch, type BatchLeaf } from './batches.ts';
export { AnotherChain, ensureSameChain } from './chain-state.ts';
export { FAILPOINTS, type Failpoint, type FailpointName } from './failpoints.ts';
export { releaseHaltedJobs } from './job-store.ts';
export { listRelayers, rememberedChainId } from './relayers.ts';
export { createSpend, type Spend } from './spend.ts';
export { anchoringStatus, type AnchoringStatus } from './status.ts';
export type { NonceHolder, PartsOf, Rules, Scheme } from './work.ts';
