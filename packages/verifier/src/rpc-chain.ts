import type { ChainAnswer, ChainReader, OnchainAttestation } from './chain-reader.ts';
import { decodeAttestation, encodeGetAttestation } from './eas-abi.ts';

export interface RpcOptions {
  /** JSON-RPC endpoints, tried in order */
  urls: readonly string[];
  /** milliseconds each endpoint has for its whole answer */
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
}

/** An answer holds some hundred bytes; more is not read. */
const MAX_ANSWER_BYTES = 65_536;

/**
 * Reads attestations by `eth_call` over `fetch`. An endpoint that fails, is slow, is of another chain or does not
 * know the attestation (it may lag) leaves the word to the next one. Reasons count endpoints, never name them: their
 * addresses may hold a key.
 * @throws {TypeError} without an endpoint, or on one that is no http(s) url
 */
export function rpcChain({ urls, timeoutMs = 10_000, fetch = globalThis.fetch }: RpcOptions): ChainReader {
  if (urls.length === 0) throw new TypeError('no RPC endpoint given');
  if (!urls.every((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)))
    throw new TypeError('an RPC endpoint is not an http(s) url');
  return {
    async attestation(contract, uid, chainId): Promise<ChainAnswer> {
      const faults: string[] = [];
      let unknown = false;
      for (const [index, url] of urls.entries()) {
        const endpoint: Endpoint = { fetch, url, timeoutMs };
        try {
          const attestation = await readFrom(endpoint, contract, uid, chainId);
          if (attestation !== null) return { kind: 'read', chainId, attestation };
          unknown = true;
        } catch (error) {
          const name = urls.length === 1 ? 'the endpoint' : `endpoint ${index + 1}`;
          faults.push(`${name} ${error instanceof EndpointFault ? error.message : 'cannot be reached'}`);
        }
      }
      return unknown
        ? { kind: 'read', chainId, attestation: null }
        : { kind: 'unreachable', reason: faults.join(', ') };
    },
  };
}

interface Endpoint {
  fetch: typeof globalThis.fetch;
  url: string;
  timeoutMs: number;
}

/** A fault of an endpoint in words that may be shown. */
class EndpointFault extends Error {}

async function readFrom(
  endpoint: Endpoint,
  contract: string,
  uid: string,
  chainId: number,
): Promise<OnchainAttestation | null> {
  return withTimeout(endpoint.timeoutMs, async (signal) => {
    const [chain, answer] = await Promise.all([
      call(endpoint, signal, 'eth_chainId', []),
      call(endpoint, signal, 'eth_call', [{ to: contract, data: encodeGetAttestation(uid) }, 'latest']),
    ]);
    if (typeof chain !== 'string' || !/^0x[0-9a-f]{1,13}$/i.test(chain))
      throw new EndpointFault('answers nonsense');
    if (Number(chain) !== chainId) throw new EndpointFault(`is of chain ${Number(chain)}, not ${chainId}`);
    const attestation = decode(answer);
    if (attestation !== null && attestation.uid !== uid.toLowerCase())
      throw new EndpointFault('answers with another attestation than the one asked for');
    return attestation;
  });
}

function decode(answer: unknown): OnchainAttestation | null {
  try {
    return decodeAttestation(answer);
  } catch {
    throw new EndpointFault('answers nonsense, or there is no attestation contract at that address');
  }
}

async function call(
  { fetch, url }: Endpoint,
  signal: AbortSignal,
  method: string,
  params: unknown[],
): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal,
  });
  const answer = parseAnswer(await readCapped(response));
  if (answer === null)
    throw new EndpointFault(response.ok ? 'answers nonsense' : `answers status ${response.status}`);
  if (!('result' in answer)) throw new EndpointFault(`refuses ${method}`);
  return answer.result;
}

function parseAnswer(text: string): object | null {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? answer : null;
  } catch {
    return null;
  }
}

async function readCapped(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for (const reader = response.body.getReader(); ;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value, { stream: true });
    if (text.length > MAX_ANSWER_BYTES) {
      await reader.cancel();
      throw new EndpointFault('answers too much');
    }
  }
}

/** Ends the wait also when `fetch` does not heed its signal. */
async function withTimeout<T>(milliseconds: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new EndpointFault(`gives no answer in ${milliseconds} ms`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([work(controller.signal), timeout]);
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
}
