import { EXIT, parsed } from './exit.ts';
import type { Trust, Verification } from '@svc/verifier';
import * as evidence_ from '@svc/verifier/evidence';
import { RPC_PATIENCE_MS } from './find-trust.ts';
import { readInput } from './input-file.ts';
import type { TimestampCheck } from '@svc/timestamp';
import type { VerifyOptions } from './verify-options.ts';
import type { Required } from './options.ts';
import type { OtsCheck } from '@svc/timestamp/ots';

export interface JudgedEvidence {
  verification: Verification;
  /** their hashes decide the result; empty for a wrong proof */
  blocks: evidence_.ProvenBlock[];
  cannotShow: string;
  notes: string[];
}

export const isEvidence = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (value as Partial<evidence_.Evidence>)._format === evidence_.EVIDENCE_FORMAT;

export async function judgeEvidence(
  evidence: evidence_.Evidence,
  trust: Trust,
  options: VerifyOptions,
): Promise<JudgedEvidence> {
  const verification = await evidence_.verifyEvidence(evidence, trust, sourceOf(trust, options));
  const blocks = blocksOf(evidence, trust.contract);
  const unasked = options.blockHash.length === 0 && (options.offline || options.rpc.length === 0);
  return {
    verification,
    blocks,
    cannotShow: evidence_.NOT_SHOWN,
    notes: unasked
      ? blocks.map(
          ({ number, hash }) =>
            `block ${number} of chain ${trust.chainId} must have the hash ${hash}: confirm it with --block-hash, or name an endpoint to ask with --rpc`,
        )
      : [],
  };
}

function sourceOf(trust: Trust, { blockHash, rpc, offline }: VerifyOptions): evidence_.BlockSource {
  if (blockHash.length > 0) return evidence_.blockHashes(blockHash);
  return offline || rpc.length === 0
    ? evidence_.noBlocks
    : evidence_.patientRpcBlocks(trust.chainId, { urls: rpc, patienceMs: RPC_PATIENCE_MS });
}

function blocksOf(evidence: evidence_.Evidence, contract: string): evidence_.ProvenBlock[] {
  try {
    return evidence_.provenBlocks(evidence, contract);
  } catch (error) {
    if (error instanceof evidence_.EvidenceError) return [];
    throw error;
  }
}

export const isRequired = ({ require = ['chain'] }: VerifyOptions, what: Required): boolean =>
  require.includes(what);

export async function judgeTimestamps(
  evidence: evidence_.Evidence,
  options: VerifyOptions,
): Promise<TimestampCheck | null> {
  const asked = isRequired(options, 'tsa') || options.tsaCertificates !== undefined;
  if (!asked && !evidence.witnesses?.some(({ kind }) => kind === 'rfc3161')) return null;
  // Half a megabyte: loaded only when needed.
  const { checkTimestamps, readCertificates, TimestampError } = await import('@svc/timestamp');
  const { tsaCertificates: path } = options;
  if (path === undefined) return checkTimestamps(evidence, [], Date.now());
  const pem = (await readInput(path)).toString('utf8');
  const checked = () => checkTimestamps(evidence, readCertificates(pem), Date.now());
  return parsed(checked, TimestampError, path, EXIT.input);
}

export const namesBitcoin = ({ bitcoinHeader, bitcoinRpc }: VerifyOptions): boolean =>
  bitcoinHeader.length > 0 || bitcoinRpc !== undefined;

export async function judgeOts(
  evidence: evidence_.Evidence,
  options: VerifyOptions,
): Promise<OtsCheck | null> {
  const asked = options.require?.includes('ots') === true || namesBitcoin(options);
  if (!asked && !evidence.witnesses?.some(({ kind }) => kind === 'ots')) return null;
  const { checkOts, givenHeaders, noHeaders, rpcHeaders } = await import('@svc/timestamp/ots');
  const { bitcoinHeader, bitcoinRpc } = options;
  if (bitcoinRpc !== undefined)
    return checkOts(evidence, rpcHeaders(bitcoinRpc, { timeoutMs: RPC_PATIENCE_MS }));
  return checkOts(evidence, bitcoinHeader.length > 0 ? givenHeaders(bitcoinHeader) : noHeaders);
}
