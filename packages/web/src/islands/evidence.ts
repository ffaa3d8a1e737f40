import { blockHashes, rpcBlocks, verifyEvidence } from '@svc/verifier/evidence';
import type { EvidenceCheck } from './check-receipt.tsx';

/** Comes only for evidence. Checked by the hashes that were entered, else by asking the endpoint for them. */
export function readEvidence(file: { receipt?: unknown }, entered: string): EvidenceCheck {
  // Separated by anything that stands in no hash.
  const hashes = entered.match(/[^\s,;]+/g) ?? [];
  const knowsBlocks = hashes.length > 0;
  return {
    receipt: file.receipt,
    knowsBlocks,
    verify: (trust, rpcUrl) =>
      verifyEvidence(
        file,
        trust,
        knowsBlocks ? blockHashes(hashes) : rpcBlocks(trust.chainId, { urls: [rpcUrl] }),
      ),
    asked: (source) =>
      knowsBlocks
        ? 'Nobody was asked: its block has a hash that you entered, or not.'
        : `Asked for was the hash of its block, and nothing else. ${source()}`,
  };
}
