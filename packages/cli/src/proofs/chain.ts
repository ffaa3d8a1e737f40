import type { Receipt } from '@svc/protocol';
import type { Trust, Verification } from '@svc/verifier';
import * as evidence_ from '@svc/verifier/evidence';
import { type InputOf, many } from '../command.ts';
import { RPC_PATIENCE_MS } from '../find-trust.ts';
import { blockHash } from '../options.ts';
import { OF_EVIDENCE } from '../verdict-words.ts';
import type { CommonOptions, Proof } from './proof.ts';

const options = {
  '--block-hash <hash>': many(
    'for evidence: a block hash that you trust, so that no endpoint is needed (else --rpc returns the hash only); may be repeated',
    blockHash,
  ),
  '--former':
    'for evidence: check its proof on the first chain, which the service left; trust and block hash are of that chain',
};

export const EVIDENCE_FILE = 'an evidence file; make one with svc evidence <etch> --out evidence.json';

/** The attestation itself, by the proofs of its blocks in evidence; on a former chain too. */
export const chain: Proof<typeof options> = {
  field: 'chain',
  title: 'The chain',
  need: 'chain',
  options,
  misuse: ({ blockHash: hashes, rpc }, evidence) =>
    hashes.length > 0 &&
    (evidence === null
      ? `--block-hash requires ${EVIDENCE_FILE}`
      : rpc.length > 0 && 'give --block-hash or --rpc, not both: with --block-hash no endpoint is used'),
  notes: ({ receipt, blocks, chosen }, { blockHash: hashes, rpc, offline }) => [
    ...(hashes.length === 0 && (offline || rpc.length === 0) ? blocks : []).map(
      ({ number, hash }) =>
        `block ${number} of chain ${chosen.trust.chainId} must have the hash ${hash}: confirm it with --block-hash, or name an endpoint to ask with --rpc`,
    ),
    ...formerNotes(receipt),
  ],
  words: ({ evidence }) =>
    evidence === null
      ? {
          pass: 'PASS: the receipt holds.',
          fail: 'FAIL: the receipt does not hold.',
          wait: 'WAIT: not every check can finish now; no check contradicts the receipt.',
        }
      : {
          pass: 'PASS: the receipt holds by its evidence, which cannot show a later revocation.',
          ...OF_EVIDENCE,
        },
};

const formerNotes = ({ former = [] }: Receipt): string[] =>
  former
    .slice(0, 1)
    .map(
      ({ name, chain_id, anchored_at }) =>
        `first attested on ${name} (chain ${chain_id}) at ${anchored_at}, as the receipt says; check that time by svc evidence and svc verify --former`,
    );

export const isEvidence = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (value as Partial<evidence_.Evidence>)._format === evidence_.EVIDENCE_FORMAT;

export const verifyBlocks = (
  evidence: evidence_.Evidence,
  trust: Trust,
  { blockHash: hashes, rpc, offline }: InputOf<typeof options> & CommonOptions,
): Promise<Verification> =>
  evidence_.verifyEvidence(
    evidence,
    trust,
    hashes.length > 0
      ? evidence_.blockHashes(hashes)
      : offline || rpc.length === 0
        ? evidence_.noBlocks
        : evidence_.patientRpcBlocks(trust.chainId, { urls: rpc, patienceMs: RPC_PATIENCE_MS }),
  );

/** Empty for a wrong proof. */
export function blocksOf(evidence: evidence_.Evidence, { contract }: Trust): evidence_.ProvenBlock[] {
  try {
    return evidence_.provenBlocks(evidence, contract);
  } catch (error) {
    if (error instanceof evidence_.EvidenceError) return [];
    throw error;
  }
}
