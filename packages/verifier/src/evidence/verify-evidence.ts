import type { Receipt } from '@svc/protocol';
import type { ChainAnswer, ChainReader } from '../chain-reader.ts';
import { exact, remark } from '../check.ts';
import { normalizeTrust, type Trust } from '../trust.ts';
import type { Verification } from '../verification.ts';
import { verifyReceipt } from '../verify-receipt.ts';
import { provenAttestation, type ProvenAttestation, provenRevocation } from './attestation-proof.ts';
import type { Header } from './block.ts';
import type { Witness } from '../proofs/index.ts';
import { type AttestationProof, type Evidence, parseEvidence } from './evidence-form.ts';
import { EvidenceError } from './rlp.ts';

/** `unknown`: no source knows the block yet. */
export type BlockAnswer = { state: 'known' } | { state: 'another' } | { state: 'unknown'; reason: string };

export type BlockSource = (block: { number: number; hash: string }) => Promise<BlockAnswer>;

export const NOT_SHOWN =
  'The evidence shows what was attested in that block; it cannot show that no revocation came later.';

const notJudged = (witnesses: readonly Witness[]): string =>
  `The file also has witnesses (${[...new Set(witnesses.map(({ kind }) => kind))].join(', ')}), which this check does not use.`;

/**
 * A wrong proof fails the chain check; an unknown block leaves it waiting (docs/protocol.md#48-evidence).
 * @throws {EvidenceError} when the file is malformed
 * @throws {ReceiptError} when its receipt is malformed
 * @throws {TypeError} when the trust is malformed
 * @example
 * overall(await verifyEvidence(evidence, trust, blockHashes([blockHash]))); // 'pass'
 */
export async function verifyEvidence(
  value: unknown,
  trust: Trust,
  blocks: BlockSource,
): Promise<Verification> {
  const evidence = parseEvidence(value);
  const trusted = normalizeTrust(trust);
  try {
    const proven = prove(evidence, trusted.contract);
    const answers = new Map<string, BlockAnswer>();
    for (const block of proven.flatMap(blocksOf)) answers.set(block.hash, await known(blocks, block));
    const foreign = [...answers].find(([, { state }]) => state === 'another');
    if (foreign !== undefined) throw new EvidenceError(`block ${foreign[0]} is not on the chain`);
    const reader = readerOf(proven, answers, trusted.chainId);
    return noted(await verifyReceipt(evidence.receipt, trusted, reader), proven, evidence);
  } catch (error) {
    if (!(error instanceof EvidenceError)) throw error;
    return failed(evidence.receipt, trusted, error.message);
  }
}

/**
 * @param contract that attests
 * @returns the blocks of the proofs, the commitment's first
 * @throws {EvidenceError} when a proof is wrong, or the file is malformed
 * @throws {ReceiptError} when its receipt is malformed
 * @example
 * provenBlocks(evidence, trust.contract).map((block) => block.hash); // [blockHash]
 */
export function provenBlocks(value: unknown, contract: string): ProvenBlock[] {
  return prove(parseEvidence(value), contract.toLowerCase())
    .flatMap(blocksOf)
    .map(({ hash, number, time }) => ({ hash, number, time }));
}

export interface ProvenBlock {
  hash: string;
  number: number;
  time: number;
}

type Proven = ProvenAttestation & { revokedIn: Header | null };

/** All must be on the chain. */
const blocksOf = ({ block, revokedIn }: Proven): Header[] =>
  revokedIn === null ? [block] : [block, revokedIn];

function prove({ receipt, commitment, tombstone }: Evidence, contract: string): Proven[] {
  if (commitment === null) return [];
  const { chain, revocation } = receipt;
  const first = named(commitment, contract, chain.attestation_uid);
  if (tombstone === null) return [first];
  if (revocation?.kind === 1)
    return [first, named(tombstone as AttestationProof, contract, revocation.attestation_uid)];
  return [{ ...first, revokedIn: provenRevocation(tombstone, contract, first) }];
}

function named(proof: AttestationProof, contract: string, uid: string | null): Proven {
  const proven = provenAttestation(proof, contract);
  if (proven.uid !== uid) throw new EvidenceError('it proves a different attestation than the receipt names');
  return { ...proven, revokedIn: null };
}

async function known(blocks: BlockSource, { number, hash }: Header): Promise<BlockAnswer> {
  try {
    return await blocks({ number, hash });
  } catch {
    return { state: 'unknown', reason: 'the source of block hashes failed' };
  }
}

function readerOf(
  proven: readonly Proven[],
  answers: ReadonlyMap<string, BlockAnswer>,
  chainId: number,
): ChainReader {
  const read = (uid: string): ChainAnswer => {
    const found = proven.find((one) => one.uid === uid);
    if (found === undefined) return { kind: 'unreachable', reason: 'the file holds no proof of it' };
    for (const { hash } of blocksOf(found)) {
      const answer = answers.get(hash);
      if (answer?.state === 'unknown') return { kind: 'unreachable', reason: answer.reason };
    }
    const { schema, attester, time, data } = found.preimage;
    const revocationTime = found.revokedIn?.time ?? 0;
    return { kind: 'read', chainId, attestation: { uid, schema, attester, time, revocationTime, data } };
  };
  return { attestation: (_, uid) => Promise.resolve(read(uid)) };
}

function noted(
  verification: Verification,
  proven: readonly Proven[],
  { receipt, tombstone, witnesses = [], wait }: Evidence,
): Verification {
  const [words, batch, chain] = verification.checks;
  const unproven =
    proven.length > 0 && receipt.revocation !== null && tombstone === null
      ? ['The file holds no proof of the retraction.']
      : [];
  const reasons = wait === undefined ? [] : [`The service says why a proof is missing: ${wait}.`];
  const detail = [
    chain.detail,
    ...unproven,
    ...reasons,
    ...(proven.length > 0 ? [NOT_SHOWN] : []),
    ...(witnesses.length > 0 ? [notJudged(witnesses)] : []),
  ].join(' ');
  const evidence = proven
    .flatMap(blocksOf)
    .flatMap((block) => [exact('Block', block.hash), remark('Block number', String(block.number))]);
  return {
    ...verification,
    checks: [words, batch, { ...chain, detail, evidence: [...chain.evidence, ...evidence] }],
  };
}

/** Fails only the chain check. */
async function failed(receipt: Receipt, trust: Trust, fault: string): Promise<Verification> {
  const none: ChainReader = {
    attestation: () => Promise.resolve({ kind: 'unreachable', reason: 'the proof does not hold' }),
  };
  const verification = await verifyReceipt(receipt, trust, none);
  const [words, batch, chain] = verification.checks;
  const detail = `The evidence does not prove the attestation: ${fault}.`;
  return {
    ...verification,
    checks: [words, batch, { ...chain, verdict: 'fail', badge: 'mismatch', detail, evidence: [] }],
    chain: { ...verification.chain, anchored: false },
  };
}
