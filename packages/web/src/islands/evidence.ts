import type { Trust, Verification } from '@svc/verifier';
import { blockHashes, rpcBlocks, verifyEvidence } from '@svc/verifier/evidence';
import type { KnownBlocks } from './check-receipt.tsx';

/** Comes only for evidence: by the reader's hashes, else by asking the endpoint for them. */
export const checkEvidence = (
  file: unknown,
  trust: Trust,
  { hashes, rpcUrl }: KnownBlocks,
): Promise<Verification> =>
  verifyEvidence(
    file,
    trust,
    hashes.length > 0 ? blockHashes(hashes) : rpcBlocks(trust.chainId, { urls: [rpcUrl] }),
  );
