import type { Receipt } from '@svc/protocol';
import { attestedRoot, secondsToTime } from './attestation.ts';
import type { BatchResult } from './batch.ts';
import type { Reading } from './chain-reader.ts';
import type { Check, Finding, Verdict } from './check.ts';
import type { RevocationResult } from './revocation.ts';
import type { WordsResult } from './words.ts';

/** False and null where nothing was read (docs/specification.md#verification). */
export interface VerificationChain {
  /** attested, and nothing read contradicts it */
  anchored: boolean;
  attestationUid: string | null;
  onchainTimestamp: string | null;
  revoked: boolean;
  revokedAt: string | null;
  attester: string | null;
  dataMatchesHash: boolean;
}

export interface Verification {
  checks: [words: Check<'words'>, batch: Check<'batch'>, chain: Check<'chain'>];
  /** its verdict is part of the `chain` check */
  revocation: RevocationResult;
  recomputed_hash: string | null;
  recomputed_hash_matches: boolean;
  reconstructable: boolean;
  reconstructable_note: string | null;
  chain: VerificationChain;
}

export interface Findings {
  words: WordsResult;
  batch: BatchResult;
  chain: Finding<'chain'>;
  revocation: RevocationResult;
  commitment: Reading;
}

const TITLES = { words: 'The words', batch: 'The tree', chain: 'The chain' } as const;

const NOTES = {
  sealed: 'The words are sealed; they can be rebuilt once they are revealed.',
  retracted: 'The words and the salt are erased; the hash and the dates remain.',
  revealed: null,
};

export function summarize(receipt: Receipt, findings: Findings): Verification {
  const { words, batch, chain, revocation } = findings;
  const dress = <Key extends keyof typeof TITLES>(key: Key, found: Finding<Key>): Check<Key> => {
    const { verdict, badge, detail, evidence } = found;
    const learn = `${receipt._verify_without_etch}#${key}`;
    return { key, title: TITLES[key], verdict, badge, detail, evidence, learn };
  };
  return {
    checks: [dress('words', words), dress('batch', batch), dress('chain', chain)],
    revocation,
    recomputed_hash: words.recomputedHash,
    recomputed_hash_matches: words.recomputedHash === receipt.hash,
    reconstructable: receipt.canonical_string !== null,
    reconstructable_note: NOTES[receipt.status],
    chain: summarizeChain(receipt, findings),
  };
}

function summarizeChain(
  receipt: Receipt,
  { batch, chain, revocation, commitment }: Findings,
): VerificationChain {
  const found = commitment.state === 'read' ? commitment.attestation : null;
  const fits = chain.verdict !== 'fail';
  const own = found !== null && found.revocationTime > 0 ? secondsToTime(found.revocationTime) : null;
  const revokedAt = fits ? (revocation.time ?? own) : null;
  return {
    anchored: receipt.chain.attestation_uid !== null && fits,
    attestationUid: receipt.chain.attestation_uid,
    onchainTimestamp: found === null ? null : secondsToTime(found.time),
    revoked: revokedAt !== null,
    revokedAt,
    attester: found?.attester ?? null,
    dataMatchesHash:
      found !== null && batch.expectedRoot !== null && attestedRoot(found) === batch.expectedRoot,
  };
}

/**
 * Any `fail` fails, else any `wait` waits, else it passes.
 * @example
 * overall({ checks: [{ verdict: 'pass' }, { verdict: 'wait' }] }); // 'wait'
 * overall({ checks: [{ verdict: 'pass' }, { verdict: 'info' }] }); // 'pass'
 */
export function overall({ checks }: { checks: readonly Pick<Check, 'verdict'>[] }): Exclude<Verdict, 'info'> {
  const verdicts = checks.map((check) => check.verdict);
  return verdicts.includes('fail') ? 'fail' : verdicts.includes('wait') ? 'wait' : 'pass';
}
