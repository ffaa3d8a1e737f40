export type { AttestationProof, Evidence, LogProof, UidPreimage, Witness } from './evidence-form.ts';
export type { Requirement, TimestampFinding, WitnessVerdict } from './witnesses.ts';
export type { BlockAnswer, BlockSource, ProvenBlock } from './verify-evidence.ts';
export { uidOf } from './attestation-proof.ts';
export { blockHashes, noBlocks, rpcBlocks } from './block-source.ts';
export { EVIDENCE_FORMAT, parseEvidence } from './evidence-form.ts';
export { EvidenceError } from './rlp.ts';
export { NOT_SHOWN, provenBlocks, verifyEvidence } from './verify-evidence.ts';
export { counted, isStamped, judgeWitnesses, REQUIREMENTS } from './witnesses.ts';
