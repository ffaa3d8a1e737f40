// One JSON-RPC endpoint: its checked chain id, and how long it counts as down or busy.
import { callOnce, EndpointFault, hostOf, type PostOptions, toNumber } from './json-rpc.ts';
import { ChainUnavailable, WrongChain } from './port.ts';

export interface SharedChainId {
  chainId: number | undefined;
  readonly recheckMs: number;
}

export interface CallOptions extends PostOptions {
  /** readers' requests may be heavy, so their timeouts do not count */
  for: 'anchoring' | 'readers';
}

const DOWN_MS = 10_000;
const BUSY_MS = 2_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const LONGEST_ASKED_WAIT_MS = 300_000;

export class Endpoint {
  /** time of its newest block in seconds; 0 if unknown */
  headTime = 0;
  readersFrom = -Infinity;
  #readersWaited = 0;
  #checkedAt = -Infinity;
  #checking: Promise<void> | undefined;
  #downUntil = -Infinity;
  readonly #url: string;
  readonly #decides: boolean;
  readonly #shared: SharedChainId;

  constructor(url: string, decides: boolean, shared: SharedChainId) {
    this.#url = url;
    this.#decides = decides;
    this.#shared = shared;
  }

  get isDown(): boolean {
    return this.#downUntil > performance.now();
  }

  async ask(manner: CallOptions, method: string, params: readonly unknown[]): Promise<unknown> {
    if (performance.now() - this.#checkedAt >= this.#shared.recheckMs) await this.checkChain(manner);
    const answer = await this.#post(manner, method, params);
    this.#downUntil = -Infinity;
    return answer;
  }

  /** Concurrent callers share the request. */
  checkChain(manner: CallOptions): Promise<void> {
    this.#checking ??= this.#compareChain(manner).finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  async #compareChain(manner: CallOptions): Promise<void> {
    const shared = this.#shared;
    const id = toNumber(await this.#post(manner, 'eth_chainId', []));
    if (this.#decides) shared.chainId ??= id;
    if (shared.chainId === undefined) throw new ChainUnavailable('the chain id is not known yet');
    if (id !== shared.chainId) {
      this.#downUntil = performance.now() + DOWN_MS;
      const setting = this.#decides ? 'CHAIN_RPC_URL' : 'CHAIN_READ_RPC_URL';
      throw new WrongChain(
        `${setting}: ${hostOf(this.#url)} serves chain ${id}, not ${shared.chainId}: set endpoints of one chain, ` +
          'the one that CHAIN_ID names',
      );
    }
    this.#checkedAt = performance.now();
  }

  async #post(manner: CallOptions, method: string, params: readonly unknown[]): Promise<unknown> {
    try {
      return await callOnce(this.#url, method, params, manner);
    } catch (error) {
      if (error instanceof EndpointFault) this.#mark(error, manner.for);
      throw error;
    }
  }

  #mark(fault: EndpointFault, asker: CallOptions['for']): void {
    const isBusy = fault.kind === 'busy';
    if (isBusy) this.#keepReadersAway(fault.retryAfterMs ?? 0);
    if (asker === 'readers' && fault.kind !== 'down') return;
    this.#downUntil = performance.now() + (isBusy ? BUSY_MS : DOWN_MS);
    if (!isBusy) this.#checkedAt = -Infinity; // it may serve a different chain after a restart
  }

  /** Doubles the pause; resets it after a quiet period as long as the last pause. */
  #keepReadersAway(askedFor: number): void {
    const now = performance.now();
    if (now < this.readersFrom) return;
    const calm = now - this.readersFrom > Math.max(this.#readersWaited, FIRST_WAIT_MS);
    this.#readersWaited = calm ? FIRST_WAIT_MS : Math.min(this.#readersWaited * 2, LONGEST_WAIT_MS);
    this.readersFrom = now + Math.max(this.#readersWaited, Math.min(askedFor, LONGEST_ASKED_WAIT_MS));
  }
}
