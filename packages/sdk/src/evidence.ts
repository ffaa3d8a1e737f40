import type { Evidence, Requirement, WitnessChecks, WitnessVerdict } from '@svc/verifier/evidence';
import { refuseOther } from './errors.ts';
import type { CallOptions } from './operations.ts';
import type { Compared, Transport } from './transport.ts';
import type { Verified, VerifyOptions } from './verdict.ts';
import { until, type WaitOptions } from './wait.ts';

export interface VerifyEvidenceOptions extends Omit<VerifyOptions, 'rpcUrls'>, WitnessChecks {
  /** trusted hashes of the block with the attestation, and of the block with the retraction */
  readonly blockHashes?: readonly string[] | undefined;
  /** endpoints for the block hash, without `blockHashes`; without both, the chain check waits */
  readonly rpcUrls?: readonly string[] | undefined;
  /** the checks that must pass; default: `chain` */
  readonly require?: readonly Requirement[] | undefined;
}

export interface VerifiedEvidence extends Verified {
  /** separate verdicts, with the time that each proves */
  witnesses: WitnessVerdict[];
}

export interface WaitForEvidenceOptions extends Omit<WaitOptions, 'onLook'> {
  readonly require?: readonly Requirement[] | undefined;
}

const loadEvidence = () => import('@svc/verifier/evidence');

export function evidenceCalls(transport: Transport) {
  /**
   * docs/protocol.md#48-evidence. `wait` is the reason for a missing proof.
   * @throws {EvidenceError} when the answer is not evidence
   * @throws {MisfitError} when it is for a different etch, or contradicts itself or your pins
   * @example
   * (await client.evidence(etch.id)).receipt.hash; // etch.hash
   */
  const evidence = (id: string, options: CallOptions = {}): Promise<Evidence> =>
    fetchEvidence(id, options, {});

  async function fetchEvidence(id: string, options: CallOptions, more: Compared): Promise<Evidence> {
    const { value } = await transport.call('getEvidence', { params: { id }, ...options }, more);
    const { parseEvidence } = await loadEvidence();
    return parseEvidence(value);
  }

  /** Checks only the id; other contradictions become a verdict. */
  async function evidenceToJudge(id: string, options: CallOptions): Promise<Evidence> {
    const found = await fetchEvidence(id, options, { check: false });
    refuseOther('getEvidence', 'receipt.etch_id', found.receipt.etch_id, id, found);
    return found;
  }

  return {
    evidence,
    /**
     * Waits for every proof that the receipt needs. Set `timeoutMs`: some chains never have proofs.
     * @throws {WaitError} `timeout`
     * @example
     * (await client.waitForEvidence(etch.id, { timeoutMs: 60_000 })).wait; // undefined
     */
    async waitForEvidence(
      id: string,
      { require = [], ...options }: WaitForEvidenceOptions = {},
    ): Promise<Evidence> {
      const { missingProofs } = await loadEvidence();
      return until(
        (signal) => evidence(id, { signal }),
        (found) => found.wait === undefined && missingProofs(found, require).length === 0,
        options,
      );
    },
    /**
     * Checks evidence by its block hash. Evidence cannot show a later revocation.
     * @param target an etch's id, or evidence
     * @throws {EvidenceError} when the evidence is malformed
     * @throws {ReceiptError} when its receipt is malformed
     * @throws {TypeError} when the trust or a hash is malformed
     * @example
     * const file = await client.waitForEvidence(etch.id, { timeoutMs: 60_000 });
     * const rpcUrls = ['http://127.0.0.1:8545'];
     * (await client.verifyEvidence(file, { trust, rpcUrls })).result; // 'pass'
     * const timestamps = (evidence) => checkTimestamps(evidence, readCertificates(pem), Date.now());
     * (await client.verifyEvidence(file, { trust, timestamps, require: ['tsa'] })).witnesses.length; // 2
     */
    async verifyEvidence(
      target: string | Evidence,
      asked: VerifyEvidenceOptions = {},
    ): Promise<VerifiedEvidence> {
      const { trust, blockHashes: hashes, rpcUrls = [], authorKey, require } = asked;
      const { fetch, signal } = asked;
      const { blockHashes, checkWitnesses, counted, judgeWitnesses, noBlocks, rpcBlocks, verifyEvidence } =
        await loadEvidence();
      const found = typeof target === 'string' ? await evidenceToJudge(target, { signal }) : target;
      const [{ normalizeTrust, verdict }, { fetchFacts }] = await Promise.all([
        import('./verdict.ts'),
        import('./facts.ts'),
      ]);
      const values = normalizeTrust(trust ?? (await fetchFacts(transport, signal)).trust);
      const endpoints = { urls: rpcUrls, ...(fetch === undefined ? {} : { fetch }) };
      const blocks =
        hashes !== undefined
          ? blockHashes(hashes)
          : rpcUrls.length > 0
            ? rpcBlocks(values.chainId, endpoints)
            : noBlocks;
      const verification = await verifyEvidence(found, values, blocks);
      const findings = await checkWitnesses(found, asked);
      const witnesses = judgeWitnesses(found, verification, findings, require);
      const [words, batch] = verification.checks;
      const checks = [words, batch, ...witnesses.map((one) => counted(one, one.required))];
      const needsChain = witnesses.some(({ by, required }) => by === 'chain' && required);
      const judged = { values, pinned: trust !== undefined, authorKey, checks, needsChain };
      return { ...verdict(found.receipt, verification, judged), witnesses };
    },
  };
}
