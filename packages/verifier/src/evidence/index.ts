export * from './evidence-form.ts';
export * from './witnesses.ts';
export * from './verify-evidence.ts';
export * from '../proofs/index.ts';
export { uidOf } from './attestation-proof.ts';
export { blockHashes, noBlocks, rpcBlocks } from './block-source.ts';
export * from './patient-readers.ts';
export { EvidenceError } from './rlp.ts';
