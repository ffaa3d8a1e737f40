import { normalizeTrust } from '@svc/verifier';
import type { Evidence, Requirement, TimestampFinding, WitnessVerdict } from '@svc/verifier/evidence';
import { fetchFacts } from './facts.ts';
import { refuseOther } from './errors.ts';
import type { CallOptions } from './operations.ts';
import type { Compared, Transport } from './transport.ts';
import { verdict } from './verdict.ts';
import type { Verified, VerifyOptions } from './verdict.ts';
import { untilWhole } from './wait.ts';
import type { WaitOptions } from './wait.ts';

export interface VerifyEvidenceOptions extends Omit<VerifyOptions, 'rpcUrls'> {
  /** hashes of blocks as you know them: of the one with the attestation, and of the one with the retraction */
  readonly blockHashes?: readonly string[] | undefined;
  /** without hashes: endpoints that are asked for the hash of a block alone; without these too the chain waits */
  readonly rpcUrls?: readonly string[] | undefined;
  /** what has to pass, of `chain` and `tsa` (a time stamp); the chain alone unless you say otherwise */
  readonly require?: readonly Requirement[] | undefined;
  /** checks the time stamps, with certificates that are yours to say: `checkTimestamps` of `@svc/timestamp` does; without it nobody does */
  readonly timestamps?: ((evidence: Evidence) => Promise<TimestampFinding>) | undefined;
}

export interface VerifiedEvidence extends Verified {
  /** the chain, and an authority where there is a time stamp or one is required: each by itself, with the time that it speaks from */
  witnesses: WitnessVerdict[];
}

export interface WaitForEvidenceOptions extends Omit<WaitOptions, 'onLook'> {
  /** what is waited for, beside the proofs */
  readonly require?: readonly Requirement[] | undefined;
}

/** Loaded by whom it is used. */
const evidenceRoom = () => import('@svc/verifier/evidence');

/** Evidence, and checking it here. */
export function evidenceCalls(transport: Transport) {
  /**
   * A file that proves an etch's attestation by the hash of a block alone (docs/protocol.md#48-evidence); while a proof is missing,
   * `wait` in it says why.
   * @throws {EvidenceError} when what the service answers is no evidence
   * @throws {MisfitError} when it is another etch's, contradicts itself, or does not fit your pins
   * @example
   * (await client.evidence(etch.id)).receipt.hash; // etch.hash
   */
  const evidence = (id: string, options: CallOptions = {}): Promise<Evidence> =>
    fetchEvidence(id, options, {});

  async function fetchEvidence(id: string, options: CallOptions, more: Compared): Promise<Evidence> {
    const { value } = await transport.call('getEvidence', { params: { id }, ...options }, more);
    const { parseEvidence } = await evidenceRoom();
    return parseEvidence(value);
  }

  /** Unchecked but for its id: what else speaks against it becomes a verdict. */
  async function evidenceToJudge(id: string, options: CallOptions): Promise<Evidence> {
    const found = await fetchEvidence(id, options, { check: false });
    refuseOther('getEvidence', 'receipt.etch_id', found.receipt.etch_id, id, found);
    return found;
  }

  return {
    evidence,
    /**
     * Looks until the evidence has every proof that its receipt calls for; with `tsa` in `require` also for the time stamp, which comes
     * a little later, where the service has one made at all. Some chains never have proofs: give `timeoutMs`.
     * @throws {WaitError} `timeout`
     * @example
     * (await client.waitForEvidence(etch.id, { timeoutMs: 60_000 })).wait; // undefined
     */
    async waitForEvidence(
      id: string,
      { require = [], ...options }: WaitForEvidenceOptions = {},
    ): Promise<Evidence> {
      const { isStamped } = await evidenceRoom();
      return untilWhole(
        (signal) => evidence(id, { signal }),
        (found) => found.wait === undefined && (!require.includes('tsa') || isStamped(found)),
        options,
      );
    },
    /**
     * Checks evidence here, by the hash of its block: no node is asked, or one for that hash alone. What it cannot show is
     * that no revocation came later.
     * @param target an etch's id, or an evidence file
     * @throws {EvidenceError} when the file is malformed
     * @throws {ReceiptError} when the receipt in it is
     * @throws {TypeError} when the trust or a hash is malformed
     * @example
     * const file = await client.waitForEvidence(etch.id, { timeoutMs: 60_000 });
     * (await client.verifyEvidence(file, { trust, rpcUrls: ['http://127.0.0.1:8545'] })).result; // 'pass'
     * (await client.verifyEvidence(file, { trust })).result; // 'wait'
     * const timestamps = (evidence) => checkTimestamps(evidence, readCertificates(pem), Date.now()); // of @svc/timestamp
     * const { witnesses } = await client.verifyEvidence(file, { trust, timestamps, require: ['chain', 'tsa'] });
     * witnesses.map(({ by }) => by); // ['chain', 'tsa']
     */
    async verifyEvidence(
      target: string | Evidence,
      {
        trust,
        blockHashes: hashes,
        rpcUrls = [],
        authorKey,
        fetch,
        require,
        timestamps,
        ...options
      }: VerifyEvidenceOptions = {},
    ): Promise<VerifiedEvidence> {
      const { blockHashes, counted, judgeWitnesses, noBlocks, rpcBlocks, verifyEvidence } =
        await evidenceRoom();
      const found = typeof target === 'string' ? await evidenceToJudge(target, options) : target;
      const values = normalizeTrust(trust ?? (await fetchFacts(transport, options.signal)).trust);
      const asked = { urls: rpcUrls, ...(fetch === undefined ? {} : { fetch }) };
      const blocks =
        hashes !== undefined
          ? blockHashes(hashes)
          : rpcUrls.length > 0
            ? rpcBlocks(values.chainId, asked)
            : noBlocks;
      const verification = await verifyEvidence(found, values, blocks);
      const stamped = timestamps === undefined ? null : await timestamps(found);
      const witnesses = judgeWitnesses(found, verification, stamped, require);
      const [words, batch] = verification.checks;
      const checks = [words, batch, ...witnesses.map((one) => counted(one, one.required))];
      const needsChain = witnesses.some(({ by, required }) => by === 'chain' && required);
      const judged = { values, pinned: trust !== undefined, authorKey, checks, needsChain };
      return { ...verdict(found.receipt, verification, judged), witnesses };
    },
  };
}
