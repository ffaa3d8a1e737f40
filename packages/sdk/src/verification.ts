import type { SuccessOf } from '@svc/contract';
import { parseReceipt } from '@svc/protocol';
import type { Receipt } from '@svc/protocol';
import {
  checkAuthor,
  isDevelopmentChain,
  normalizeTrust,
  overall,
  rpcChain,
  verifyReceipt,
} from '@svc/verifier';
import type { AuthorCheck, Trust, Verification } from '@svc/verifier';
import type { Opening } from '@svc/protocol/timelock';
import type { Evidence } from '@svc/verifier/evidence';
import { ApiError } from './errors.ts';
import { fetchFacts } from './facts.ts';
import type { ServiceFacts } from './facts.ts';
import type { CallOptions } from './operations.ts';
import type { Transport } from './transport.ts';
import { untilProven } from './wait.ts';
import type { WaitOptions } from './wait.ts';

export interface VerifyOptions extends CallOptions {
  /**
   * which chain, contract, schema and relayers count: yours to say, never the receipt's. Without it the service is asked,
   * and the result is `wait` at best: a service that forges receipts publishes what fits them.
   */
  readonly trust?: Trust | undefined;
  /** JSON-RPC endpoints of the chain, tried in order; without them the one that the service names */
  readonly rpcUrls?: readonly string[] | undefined;
  /** the author's key as you know it, 64 hex digits: a signature alone ties the words to nobody */
  readonly authorKey?: string | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** On whose word a verification rests. */
export interface VerifiedTrust extends Trust {
  readonly source: 'caller' | 'service';
  /** is it the caller's own? */
  readonly pinned: boolean;
  /** whoever runs such a chain writes any history: even `pass` convinces nobody else */
  readonly developmentChain: boolean;
}

export interface Verified {
  /** `wait` when something cannot be known now, or you named no `trust`; nothing then speaks against the receipt */
  result: 'pass' | 'fail' | 'wait';
  trust: VerifiedTrust;
  verification: Verification;
  /** null unless you gave `authorKey` */
  author: AuthorCheck | null;
  /** its etch id, username, status and `retracted_at` are only what it says: nothing proves them */
  receipt: Receipt;
}

export interface VerifyEvidenceOptions extends Omit<VerifyOptions, 'rpcUrls'> {
  /** hashes of blocks as you know them: of the one with the attestation, and of the one with the retraction */
  readonly blockHashes?: readonly string[] | undefined;
  /** without hashes: endpoints that are asked for the hash of a block alone; without these too the chain waits */
  readonly rpcUrls?: readonly string[] | undefined;
}

/** Loaded by whom it is used. */
const evidenceRoom = () => import('@svc/verifier/evidence');

function verdict(
  receipt: Receipt,
  verification: Verification,
  { values, pinned, authorKey }: { values: Trust; pinned: boolean; authorKey: string | undefined },
): Verified {
  const author =
    authorKey === undefined
      ? null
      : checkAuthor(receipt, verification, { key: authorKey.toLowerCase(), listedBy: null });
  const checked = overall({ checks: [...verification.checks, ...(author === null ? [] : [author])] });
  return {
    result: checked === 'pass' && !pinned ? 'wait' : checked,
    trust: {
      ...values,
      source: pinned ? 'caller' : 'service',
      pinned,
      developmentChain: isDevelopmentChain(values),
    },
    verification,
    author,
    receipt,
  };
}

/** Loaded by whom it is used. */
const timelockRoom = () => import('@svc/protocol/timelock');

/** Receipts, and checking them here against the chain. */
export function verificationCalls(transport: Transport) {
  /**
   * All that a stranger needs to check an etch (docs/specification.md#receipt).
   * @throws {ReceiptError} when what the service answers is no receipt
   * @throws {ApiError} `unexpected` when it is another etch's
   * @example
   * (await client.receipt(etch.id)).hash; // etch.hash
   */
  async function receipt(id: string, options: CallOptions = {}): Promise<Receipt> {
    const found = parseReceipt((await transport.call('getReceipt', { params: { id }, ...options })).value);
    if (found.etch_id !== id.toLowerCase())
      throw new ApiError(`asked for etch ${id}, the receipt is of ${found.etch_id}`, {
        code: 'unexpected',
        status: 200,
      });
    return found;
  }

  /**
   * A file that proves an etch's attestation by the hash of a block alone (docs/protocol.md "13. Evidence"); while a proof is missing,
   * `wait` in it says why.
   * @throws {EvidenceError} when what the service answers is no evidence
   * @throws {ApiError} `unexpected` when it is another etch's
   * @example
   * (await client.evidence(etch.id)).receipt.hash; // etch.hash
   */
  async function evidence(id: string, options: CallOptions = {}): Promise<Evidence> {
    const { value } = await transport.call('getEvidence', { params: { id }, ...options });
    const { parseEvidence } = await evidenceRoom();
    const found = parseEvidence(value);
    if (found.receipt.etch_id !== id.toLowerCase())
      throw new ApiError(`asked for etch ${id}, the evidence is of ${found.receipt.etch_id}`, {
        code: 'unexpected',
        status: 200,
      });
    return found;
  }

  /**
   * What opens a sealed etch of yours from its reveal time on, without the service (docs/protocol.md "15. Openings"). Whoever has it can open
   * it then, also after a retraction; nobody can test it before.
   * @throws {ApiError} 422 once it is public or retracted; `unexpected` when the answer is no opening of this etch, or nobody signed it
   * @example
   * const { etch } = await client.etch({
   *   content: 'None by then.',
   *   description: 'Herons',
   *   category_id: 'science',
   *   mode: 'delayed',
   *   reveal_at: '2099-01-01T00:00:00Z',
   * });
   * (await client.opening(etch.id)).hash; // etch.hash
   */
  async function opening(id: string, options: CallOptions = {}): Promise<Opening> {
    const { value } = await transport.call('getOpening', { params: { id }, ...options });
    const { isOpeningSigned, parseOpening, TimelockError } = await timelockRoom();
    const unexpected = (why: string) =>
      new ApiError(`asked for the opening of etch ${id}, ${why}`, { code: 'unexpected', status: 200 });
    try {
      const found = parseOpening(value);
      if (found.etch_id !== id.toLowerCase()) throw unexpected(`it is of ${found.etch_id}`);
      if (!isOpeningSigned(found)) throw unexpected('its signature does not verify');
      return found;
    } catch (error) {
      throw error instanceof TimelockError ? unexpected(error.message) : error;
    }
  }

  return {
    receipt,
    opening,
    /**
     * Checks an etch here, against the chain: with your own trust and endpoint the service is asked for the receipt at most,
     * and believed in nothing.
     * @param target an etch's id, or a receipt
     * @throws {ReceiptError} when the receipt is malformed
     * @throws {TypeError} when the trust is malformed
     * @example
     * const { result } = await client.verify(etch.id, { trust, rpcUrls: ['http://127.0.0.1:8545'] });
     * result; // 'pass'
     * (await client.verify(etch.id)).trust.pinned; // false
     * (await client.verify(etch.id)).result; // 'wait'
     */
    async verify(
      target: string | Receipt,
      { trust, rpcUrls = [], authorKey, fetch, ...options }: VerifyOptions = {},
    ): Promise<Verified> {
      const found = typeof target === 'string' ? await receipt(target, options) : target;
      const isKnown = trust !== undefined && rpcUrls.length > 0;
      const facts = isKnown ? undefined : await fetchFacts(transport, options.signal);
      const values = normalizeTrust(trust ?? facts!.trust);
      const urls = rpcUrls.length > 0 ? rpcUrls : [facts?.rpcUrl].filter((url) => url != null);
      if (urls.length === 0) throw new TypeError('no endpoint of the chain is known: give rpcUrls');
      const reader = rpcChain({ urls, ...(fetch === undefined ? {} : { fetch }) });
      const verification = await verifyReceipt(found, values, reader);
      return verdict(found, verification, { values, pinned: trust !== undefined, authorKey });
    },
    evidence,
    /**
     * Looks until the evidence has every proof that its receipt calls for. Some chains never have them: give `timeoutMs`.
     * @throws {WaitError} `timeout`
     * @example
     * (await client.waitForEvidence(etch.id, { timeoutMs: 60_000 })).wait; // undefined
     */
    waitForEvidence: (id: string, options: Omit<WaitOptions, 'onLook'> = {}): Promise<Evidence> =>
      untilProven((signal) => evidence(id, { signal }), options),
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
     */
    async verifyEvidence(
      target: string | Evidence,
      { trust, blockHashes: hashes, rpcUrls = [], authorKey, fetch, ...options }: VerifyEvidenceOptions = {},
    ): Promise<Verified> {
      const { blockHashes, noBlocks, rpcBlocks, verifyEvidence } = await evidenceRoom();
      const found = typeof target === 'string' ? await evidence(target, options) : target;
      const values = normalizeTrust(trust ?? (await fetchFacts(transport, options.signal)).trust);
      const asked = { urls: rpcUrls, ...(fetch === undefined ? {} : { fetch }) };
      const blocks =
        hashes !== undefined
          ? blockHashes(hashes)
          : rpcUrls.length > 0
            ? rpcBlocks(values.chainId, asked)
            : noBlocks;
      const verification = await verifyEvidence(found, values, blocks);
      return verdict(found.receipt, verification, { values, pinned: trust !== undefined, authorKey });
    },
    /**
     * What the service itself finds (docs/specification.md#verification): quick to show, nothing to rely on.
     * @example
     * const { checks } = await client.verifyByService(etch.id);
     * checks.map(({ verdict }) => verdict); // ['pass', 'pass', 'pass']
     */
    async verifyByService(id: string, options: CallOptions = {}): Promise<SuccessOf<'verifyEtch'>> {
      return (await transport.call('verifyEtch', { params: { id }, ...options })).value;
    },
    /**
     * The chain as the service describes it: fit for a first contact; keep it, and compare later.
     * @example
     * (await client.facts()).trust; // trust
     */
    facts: ({ signal }: CallOptions = {}): Promise<ServiceFacts> => fetchFacts(transport, signal),
    /**
     * A document at this origin, beside the API: a receipt that somebody published, for instance. Redirects are followed.
     * @example
     * (await client.document('/.well-known/svc.json')).chain.chain_id; // trust.chainId
     */
    document: (path: string, { signal }: CallOptions = {}): Promise<unknown> =>
      transport.get(path, { signal, follow: true }),
  };
}
