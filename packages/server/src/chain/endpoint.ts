import { callOnce, EndpointFault, hostOf, type PostOptions } from './json-rpc.ts';
import { ChainUnavailable, WrongChain } from './port.ts';
import { toNumber } from './rpc-values.ts';

export interface Endpoint {
  readonly url: string;
  readonly decides: boolean;
  checkedAt: number;
  checking?: Promise<void> | undefined;
  downUntil: number;
  readersFrom: number;
  readersWaited: number;
  /** time of its newest block in seconds; 0 if unknown */
  headTime: number;
}

export interface Shared {
  chainId: number | undefined;
  readonly recheckMs: number;
}

export interface Manner extends PostOptions {
  /** readers' requests may be heavy, so their timeouts do not count */
  for: 'anchoring' | 'readers';
}

const DOWN_MS = 10_000;
const BUSY_MS = 2_000;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
const LONGEST_ASKED_WAIT_MS = 300_000;

export function newEndpoint(url: string, decides: boolean): Endpoint {
  return {
    url,
    decides,
    checkedAt: -Infinity,
    downUntil: -Infinity,
    readersFrom: -Infinity,
    readersWaited: 0,
    headTime: 0,
  };
}

export const isDown = ({ downUntil }: Endpoint): boolean => downUntil > performance.now();

export async function askChecked(
  endpoint: Endpoint,
  shared: Shared,
  manner: Manner,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  if (performance.now() - endpoint.checkedAt >= shared.recheckMs) await checkChain(endpoint, shared, manner);
  const answer = await ask(endpoint, manner, method, params);
  endpoint.downUntil = -Infinity;
  return answer;
}

/** Concurrent callers share the request. */
export function checkChain(endpoint: Endpoint, shared: Shared, manner: Manner): Promise<void> {
  endpoint.checking ??= compareChain(endpoint, shared, manner).finally(() => (endpoint.checking = undefined));
  return endpoint.checking;
}

async function compareChain(endpoint: Endpoint, shared: Shared, manner: Manner): Promise<void> {
  const id = toNumber(await ask(endpoint, manner, 'eth_chainId', []));
  if (endpoint.decides) shared.chainId ??= id;
  if (shared.chainId === undefined) throw new ChainUnavailable('the chain id is not known yet');
  if (id !== shared.chainId) {
    endpoint.downUntil = performance.now() + DOWN_MS;
    const setting = endpoint.decides ? 'CHAIN_RPC_URL' : 'CHAIN_READ_RPC_URL';
    throw new WrongChain(
      `${setting}: ${hostOf(endpoint.url)} serves chain ${id}, not ${shared.chainId}: set endpoints of one chain, ` +
        'the one that CHAIN_ID names',
    );
  }
  endpoint.checkedAt = performance.now();
}

async function ask(endpoint: Endpoint, manner: Manner, method: string, params: readonly unknown[]) {
  try {
    return await callOnce(endpoint.url, method, params, manner);
  } catch (error) {
    if (error instanceof EndpointFault) mark(endpoint, error, manner.for);
    throw error;
  }
}

function mark(endpoint: Endpoint, fault: EndpointFault, asker: Manner['for']): void {
  const isBusy = fault.kind === 'busy';
  if (isBusy) keepReadersAway(endpoint, fault.retryAfterMs ?? 0);
  if (asker === 'readers' && fault.kind !== 'down') return;
  endpoint.downUntil = performance.now() + (isBusy ? BUSY_MS : DOWN_MS);
  if (isBusy) return;
  endpoint.checkedAt = -Infinity; // it may serve a different chain after a restart
}

/** Doubles the pause; resets it after a quiet period as long as the last pause. */
function keepReadersAway(endpoint: Endpoint, askedFor: number): void {
  const now = performance.now();
  if (now < endpoint.readersFrom) return;
  const calm = now - endpoint.readersFrom > Math.max(endpoint.readersWaited, FIRST_WAIT_MS);
  endpoint.readersWaited = calm ? FIRST_WAIT_MS : Math.min(endpoint.readersWaited * 2, LONGEST_WAIT_MS);
  endpoint.readersFrom = now + Math.max(endpoint.readersWaited, Math.min(askedFor, LONGEST_ASKED_WAIT_MS));
}
