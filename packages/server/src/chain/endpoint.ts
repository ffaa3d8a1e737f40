import { callOnce, EndpointFault, hostOf, type PostOptions } from './json-rpc.ts';
import { ChainUnavailable, WrongChain } from './port.ts';
import { toNumber } from './rpc-values.ts';

/** One endpoint, and what everybody who asks it has noticed of it. */
export interface Endpoint {
  readonly url: string;
  /** may its answer decide which chain ours is, while no setting does? */
  readonly decides: boolean;
  /** when its chain id was last found to be ours */
  checkedAt: number;
  checking?: Promise<void> | undefined;
  /** left aside until then, after it failed */
  downUntil: number;
  /** readers leave it to anchoring until then, after it was asked too much */
  readersFrom: number;
  /** how long they did so the last time, milliseconds */
  readersWaited: number;
  /** its newest block's time, seconds; 0 while that is not known */
  headTime: number;
}

/** What the endpoints of one client know together. */
export interface Shared {
  /** undefined until a setting or the first endpoint that decides has told */
  chainId: number | undefined;
  readonly recheckMs: number;
}

/** How one of those who ask does so. */
export interface Manner extends PostOptions {
  /** readers' questions may be heavy, by their own choice: that one was not answered in time says nothing of the endpoint */
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

/** One question, after the endpoint's chain id was found to be ours not long ago. @throws ChainUnavailable */
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

/** Asks for the chain id anew; those who want it at the same time share the question. @throws WrongChain, ChainUnavailable */
export function checkChain(endpoint: Endpoint, shared: Shared, manner: Manner): Promise<void> {
  endpoint.checking ??= compareChain(endpoint, shared, manner).finally(() => (endpoint.checking = undefined));
  return endpoint.checking;
}

async function compareChain(endpoint: Endpoint, shared: Shared, manner: Manner): Promise<void> {
  const id = toNumber(await ask(endpoint, manner, 'eth_chainId', []));
  if (endpoint.decides) shared.chainId ??= id;
  if (shared.chainId === undefined) throw new ChainUnavailable('which chain is ours is not known yet');
  if (id !== shared.chainId) {
    endpoint.downUntil = performance.now() + DOWN_MS;
    const setting = endpoint.decides ? 'CHAIN_RPC_URL' : 'CHAIN_READ_RPC_URL';
    throw new WrongChain(
      `${setting}: ${hostOf(endpoint.url)} serves chain ${id}, not ${shared.chainId}: name endpoints of one chain, ` +
        'the one that CHAIN_ID says',
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
  endpoint.checkedAt = -Infinity; // what comes back may be another chain
}

/** Each time longer, until readers have done without such a complaint for as long as they last waited. */
function keepReadersAway(endpoint: Endpoint, askedFor: number): void {
  const now = performance.now();
  if (now < endpoint.readersFrom) return; // asked before the first complaint came
  const calm = now - endpoint.readersFrom > Math.max(endpoint.readersWaited, FIRST_WAIT_MS);
  endpoint.readersWaited = calm ? FIRST_WAIT_MS : Math.min(endpoint.readersWaited * 2, LONGEST_WAIT_MS);
  endpoint.readersFrom = now + Math.max(endpoint.readersWaited, Math.min(askedFor, LONGEST_ASKED_WAIT_MS));
}
