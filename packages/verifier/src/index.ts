export type { AttestedTree, LeafParts, TreeName } from './attested-trees.ts';
export type { AttestedLog } from './attested-logs.ts';
export type { Expected as ExpectedAttestation } from './attestation.ts';
export type { ChainAnswer, ChainReader, OnchainAttestation } from './chain-reader.ts';
export type { Badges, Check, Evidence, Verdict } from './check.ts';
export type {
  AccountLeaves,
  RecordCounts,
  RecordedEtch,
  RecordFault,
  RecordFolding,
} from './compare-record.ts';
export type { LogRange, LogReader } from './rpc-log-reader.ts';
export type { AuthorCheck, AuthorKey } from './author.ts';
export type { KeptPromise, PromiseCheck, PromisedEtch, PromiseTrust } from './promise.ts';
export type { RevocationResult } from './revocation.ts';
export type { RpcOptions } from './rpc-chain.ts';
export type { Trust } from './trust.ts';
export type { SignatureCheck } from './words.ts';
export type { Verification, VerificationChain } from './verification.ts';
export { AttestedTrees, isRevokedTree, rebuildFault, treeName } from './attested-trees.ts';
export { disagreements } from './attestation.ts';
export { checkAuthor } from './author.ts';
export { pathToRoot } from './batch.ts';
export { LATE_AFTER_MILLISECONDS } from './chain.ts';
export { etchFault, RecordComparison } from './compare-record.ts';
export { decodeAttestation, encodeGetAttestation } from './eas-abi.ts';
export { checkPromise } from './promise.ts';
export { ProofFolder } from './proof-folder.ts';
export { ChainUnreadable, rpcLogReader } from './rpc-log-reader.ts';
export { MAX_RECEIPT_BYTES, receiptJson, textOfFile } from './receipt-json.ts';
export { rpcChain } from './rpc-chain.ts';
export { isDevelopmentChain, normalizeTrust, trustChanges } from './trust.ts';
export { overall } from './verification.ts';
export { verifyReceipt, verifyReceiptWith } from './verify-receipt.ts';
