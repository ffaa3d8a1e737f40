import type { SuccessOf } from '@svc/contract';
import { parseReceipt } from '@svc/protocol';
import type { Receipt } from '@svc/protocol';
import { overall, rpcChain, verifyReceipt } from '@svc/verifier';
import type { Trust, Verification } from '@svc/verifier';
import { ApiError } from './errors.ts';
import { fetchFacts } from './facts.ts';
import type { ServiceFacts } from './facts.ts';
import type { CallOptions } from './operations.ts';
import type { Transport } from './transport.ts';

export interface VerifyOptions extends CallOptions {
  /** which chain, contract, schema and relayers count: yours to say, never the receipt's */
  readonly trust: Trust;
  /** JSON-RPC endpoints of the chain, tried in order */
  readonly rpcUrls: readonly string[];
  readonly fetch?: typeof globalThis.fetch | undefined;
}

export interface Verified {
  /** `wait` when something cannot be known now; nothing then speaks against the receipt */
  result: 'pass' | 'fail' | 'wait';
  verification: Verification;
  receipt: Receipt;
}

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

  return {
    receipt,
    /**
     * Checks an etch here, against the chain: the service is asked for the receipt at most, and believed in nothing.
     * @param target an etch's id, or a receipt
     * @throws {ReceiptError} when the receipt is malformed
     * @throws {TypeError} when the trust is malformed
     * @example
     * const { result } = await client.verify(etch.id, { trust, rpcUrls: ['http://127.0.0.1:8545'] });
     * result; // 'pass'
     */
    async verify(
      target: string | Receipt,
      { trust, rpcUrls, fetch, ...options }: VerifyOptions,
    ): Promise<Verified> {
      const found = typeof target === 'string' ? await receipt(target, options) : target;
      const reader = rpcChain({ urls: rpcUrls, ...(fetch === undefined ? {} : { fetch }) });
      const verification = await verifyReceipt(found, trust, reader);
      return { result: overall(verification), verification, receipt: found };
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
