import type { Etch, SuccessOf } from '@svc/contract/types';
import type { Receipt } from '@svc/protocol';
import type { DrandChain, Opening } from '@svc/protocol/timelock';
import type { OpenedEtch } from '@svc/verifier/answers';
import { ApiError, refuseOther } from './errors.ts';
import type { ServiceFacts } from './facts.ts';
import type { CallOptions } from './operations.ts';
import type { Transport } from './transport.ts';
import type { Verified, VerifyOptions } from './verdict.ts';

export interface OpeningOptions extends CallOptions {
  /** from a stored promise or receipt */
  readonly etch?: OpenedEtch | undefined;
  /** default: the pinned chain, else quicknet */
  readonly chain?: DrandChain | undefined;
}

/** Loaded on first use. */
const parsed = async (value: unknown): Promise<Receipt> =>
  (await import('@svc/protocol')).parseReceipt(value);
const loadFacts = () => import('./facts.ts');
const loadVerdict = () => import('./verdict.ts');

const opened = ({ hash, reveal_at: revealAt }: Etch): OpenedEtch => ({ hash, revealAt });

export function verificationCalls(transport: Transport) {
  /**
   * docs/specification.md#receipt
   * @throws {ReceiptError} when the answer is not a receipt
   * @throws {MisfitError} when it is for a different etch, or contradicts itself or your pins
   * @example
   * (await client.receipt(etch.id)).hash; // etch.hash
   */
  async function receipt(id: string, options: CallOptions = {}): Promise<Receipt> {
    return parsed(await transport.value('getReceipt', { params: { id }, ...options }));
  }

  /** Checks only the id; other contradictions become a verdict. */
  async function receiptToJudge(id: string, options: CallOptions): Promise<Receipt> {
    const { value } = await transport.call('getReceipt', { params: { id }, ...options }, { check: false });
    const found = await parsed(value);
    refuseOther('getReceipt', 'etch_id', found.etch_id, id, value);
    return found;
  }

  /**
   * Opens your sealed etch from its reveal time on without the service, even after a retraction, for every
   * reader who has the file (docs/protocol.md#411-openings). The round must fit the reveal time. The
   * hash must be that of `etch`, or of the etch that the service returns now.
   * @throws {ApiError} 422 once the etch is public or retracted
   * @throws {MisfitError} when the opening is for a different etch, or contradicts your pins
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
  async function opening(id: string, { etch, chain, ...options }: OpeningOptions = {}): Promise<Opening> {
    const opens = etch ?? opened(await transport.field('getEtch', 'etch', { params: { id }, ...options }));
    const { value } = await transport.call(
      'getOpening',
      { params: { id }, ...options },
      { known: { opens }, ...(chain === undefined ? {} : { pins: { drand: chain } }) },
    );
    return value as Opening;
  }

  return {
    receipt,
    opening,
    /**
     * Checks an etch against the chain. With your own trust and endpoint, the service supplies only the
     * receipt.
     * @param target an etch's id, or a receipt
     * @throws {ReceiptError} when the receipt is malformed
     * @throws {TypeError} when the trust is malformed, or without `rpcUrls` and `fetch` when the service names an
     * endpoint on another host that is not https
     * @example
     * (await client.verify(etch.id, { trust, rpcUrls: ['http://127.0.0.1:8545'] })).result; // 'pass'
     * (await client.verify(etch.id)).result; // 'wait'
     */
    async verify(
      target: string | Receipt,
      { trust, rpcUrls, authorKey, fetch, ...options }: VerifyOptions = {},
    ): Promise<Verified> {
      const found = typeof target === 'string' ? await receiptToJudge(target, options) : target;
      const { chooseChain, verdict, verifyReceipt } = await loadVerdict();
      const { values, reader } = await chooseChain(transport, { trust, rpcUrls, fetch, ...options });
      const verification = await verifyReceipt(found, values, reader);
      return verdict(found, verification, { values, pinned: trust !== undefined, authorKey });
    },
    /**
     * Not independent (docs/specification.md#verification).
     * @example
     * const { checks } = await client.verifyByService(etch.id);
     * checks.map(({ verdict }) => verdict); // ['pass', 'pass', 'pass']
     */
    verifyByService: (id: string, options: CallOptions = {}): Promise<SuccessOf<'verifyEtch'>> =>
      transport.value('verifyEtch', { params: { id }, ...options }),
    /**
     * Verify it with `isBeacon` of `@svc/protocol/timelock`.
     * @throws {ApiError} 422 when the round is not due, or the service has no relay; `not_found` for an
     * unknown chain
     * @example
     * try {
     *   await client.beacon('0'.repeat(64), 1);
     * } catch (error) {
     *   error.status >= 404; // true
     * }
     */
    beacon: (chain: string, round: number, options: CallOptions = {}): Promise<SuccessOf<'getBeacon'>> =>
      transport.value('getBeacon', { params: { chain, round: String(round) }, ...options }),
    /**
     * @example
     * (await client.openApi()).openapi.startsWith('3.1.'); // true
     */
    openApi: (options: CallOptions = {}): Promise<SuccessOf<'getOpenApi'>> =>
      transport.value('getOpenApi', options),
    /**
     * Store the service info of the first contact, and compare it later.
     * @example
     * (await client.facts()).trust; // trust
     */
    facts: async ({ signal }: CallOptions = {}): Promise<ServiceFacts> =>
      (await loadFacts()).fetchFacts(transport, signal),
    /**
     * Milliseconds since 1970, from the `Date` header. The local clock may be wrong.
     * @example
     * Math.abs((await client.serverTime()) - Date.now()) < 60_000; // true
     */
    async serverTime({ signal }: CallOptions = {}): Promise<number> {
      await transport.get('/.well-known/svc.json', { signal }).catch((error: unknown) => {
        if (!(error instanceof ApiError)) throw error;
      });
      return transport.clock.now();
    },
    /**
     * Outside the API. Follows redirects on the same origin; the client's own `fetch` decides on others.
     * @example
     * (await client.document('/.well-known/svc.json')).chain.chain_id; // trust.chainId
     */
    document: (path: string, { signal }: CallOptions = {}): Promise<unknown> =>
      transport.get(path, { signal, follow: true }),
  };
}
