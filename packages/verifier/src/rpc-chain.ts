import type { ChainAnswer, ChainReader, OnchainAttestation } from './chain-reader.ts';
import { decodeAttestation, encodeGetAttestation } from './eas-abi.ts';
import { EndpointFault } from './requests/bounded.ts';
import { call, rpcClient, type RpcOptions } from './requests/client.ts';

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
export function rpcChain(options: RpcOptions): ChainReader {
  const firstAnswer = rpcClient(options, MAX_ANSWER_BYTES);
  return {
    async attestation(contract, uid, chainId): Promise<ChainAnswer> {
      const { found, faults } = await firstAnswer(chainId, async (rpc) => {
        const asked = [{ to: contract, data: encodeGetAttestation(uid) }, 'latest'];
        const attestation = decode(await call(rpc, 'eth_call', asked));
        if (attestation !== null && attestation.uid !== uid.toLowerCase())
          throw new EndpointFault('answers with an attestation that was not requested');
        return attestation;
      });
      if (found !== null || faults.includes(null)) return { kind: 'read', chainId, attestation: found };
      const reasons = faults.map(
        (fault, at) => `${faults.length === 1 ? 'the endpoint' : `endpoint ${at + 1}`} ${fault!.message}`,
      );
      return { kind: 'unreachable', reason: reasons.join(', ') };
    },
  };
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
