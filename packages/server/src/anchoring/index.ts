export { createAnchoring, type Anchoring } from './anchoring.ts';
export { findBatch, findLeaves, findTree, listBatches, listLeaves, type Batch } from './ledger/batches.ts';
export { AnotherChain, ensureSameChain } from './ledger/chain-binding.ts';
export { countUnknown } from './recovery/look-back.ts';
export { FAILPOINTS, type Failpoint } from './failpoints.ts';
export { releaseHaltedJobs } from './ledger/queue.ts';
export { listRelayers, rememberedChainId } from './ledger/chain-binding.ts';
export { createSpend, type Spend } from './ledger/spend.ts';
export { anchoringStatus, type AnchoringStatus } from './ledger/status.ts';
