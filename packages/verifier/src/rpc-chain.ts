import type { ChainAnswer, ChainReader, OnchainAttestation } from './chain-reader.ts';
import { decodeAttestation, encodeGetAttestation } from './eas-abi.ts';
import { call, checkUrls, type Endpoint, EndpointFault, malformed, withTimeout } from './json-rpc.ts';

export interface RpcOptions {
  /** tried in order */
  urls: readonly string[];
  /** per endpoint, whole answer */
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
}

/** Real answers have a few hundred bytes. */
const MAX_ANSWER_BYTES = 65_536;

/**
 * Tries the next endpoint when one fails, is slow, is of a different chain, or lacks the attestation (it may
 * lag). Reasons number the endpoints, because a URL may contain a key.
 * @throws {TypeError} without an endpoint, or on a malformed url
 * @example
 * const chain = rpcChain({ urls: ['http://127.0.0.1:8545'] });
 * const answer = await chain.attestation(trust.contract, receipt.chain.attestation_uid, trust.chainId);
 * answer.kind; // 'read'
 */
export function rpcChain({ urls, timeoutMs = 10_000, fetch = globalThis.fetch }: RpcOptions): ChainReader {
  checkUrls(urls);
  return {
    async attestation(contract, uid, chainId): Promise<ChainAnswer> {
      const faults: string[] = [];
      let unknown = false;
      for (const [index, url] of urls.entries()) {
        const endpoint: Endpoint = { fetch, url, timeoutMs, maxBytes: MAX_ANSWER_BYTES };
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
    if (typeof chain !== 'string' || !/^0x[0-9a-fA-F]{1,14}$/.test(chain)) throw malformed();
    if (Number(chain) !== chainId) throw new EndpointFault(`is of chain ${Number(chain)}, not ${chainId}`);
    const attestation = decode(answer);
    if (attestation !== null && attestation.uid !== uid.toLowerCase())
      throw new EndpointFault('answers with an attestation that was not requested');
    return attestation;
  });
}

function decode(answer: unknown): OnchainAttestation | null {
  try {
    return decodeAttestation(answer);
  } catch {
    throw new EndpointFault(
      'returned a malformed answer, or there is no attestation contract at that address',
    );
  }
}
