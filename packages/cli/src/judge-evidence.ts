import { failError, reworded } from './exit.ts';
import { ReceiptError } from '@svc/protocol';
import type { Trust, Verification } from '@svc/verifier';
import {
  blockHashes,
  EVIDENCE_FORMAT,
  EvidenceError,
  formerEvidence,
  noBlocks,
  NOT_SHOWN,
  parseEvidence,
  patientRpcBlocks,
  provenBlocks,
  verifyEvidence,
} from '@svc/verifier/evidence';
import type { BlockSource, Evidence, ProvenBlock } from '@svc/verifier/evidence';
import { RPC_PATIENCE_MS } from './find-trust.ts';

interface BlockOptions {
  blockHash: string[];
  rpc: readonly string[];
  offline: boolean;
}

export interface JudgedEvidence {
  verification: Verification;
  /** their hashes decide the result; empty for a wrong proof */
  blocks: ProvenBlock[];
  cannotShow: string;
  notes: string[];
}

export const isEvidence = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as Partial<Evidence>)._format === EVIDENCE_FORMAT;

export const readEvidence = (value: unknown): Evidence => orFail(() => parseEvidence(value));

export const readFormer = (evidence: Evidence): Evidence[] => orFail(() => formerEvidence(evidence));

const orFail = <T>(read: () => T): T =>
  reworded(read, [EvidenceError, ReceiptError], (message) =>
    failError(`FAIL: not valid evidence: ${message}`),
  );

export async function judgeEvidence(
  evidence: Evidence,
  trust: Trust,
  options: BlockOptions,
): Promise<JudgedEvidence> {
  const verification = await verifyEvidence(evidence, trust, sourceOf(trust, options));
  const blocks = blocksOf(evidence, trust.contract);
  const unasked = options.blockHash.length === 0 && (options.offline || options.rpc.length === 0);
  return {
    verification,
    blocks,
    cannotShow: NOT_SHOWN,
    notes: unasked
      ? blocks.map(
          ({ number, hash }) =>
            `block ${number} of chain ${trust.chainId} must have the hash ${hash}: confirm it with --block-hash, or name an endpoint to ask with --rpc`,
        )
      : [],
  };
}

function sourceOf(trust: Trust, { blockHash, rpc, offline }: BlockOptions): BlockSource {
  if (blockHash.length > 0) return blockHashes(blockHash);
  return offline || rpc.length === 0
    ? noBlocks
    : patientRpcBlocks(trust.chainId, { urls: rpc, patienceMs: RPC_PATIENCE_MS });
}

function blocksOf(evidence: Evidence, contract: string): ProvenBlock[] {
  try {
    return provenBlocks(evidence, contract);
  } catch (error) {
    if (error instanceof EvidenceError) return [];
    throw error;
  }
}
