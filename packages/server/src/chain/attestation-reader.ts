import { type ChainAnswer, type ChainReader, encodeGetAttestation } from '@svc/verifier';
import type { Rpc } from './client.ts';
import { decodeAttestation } from './eas-codec.ts';
import { EndpointFault, NodeError } from './json-rpc.ts';
import { ChainUnavailable, WrongChain } from './port.ts';

export function attestationReader(rpc: Rpc): ChainReader {
  return {
    async attestation(contract, uid, chainId): Promise<ChainAnswer> {
      try {
        const call = { to: contract, data: encodeGetAttestation(uid) };
        const attestation = await rpc.requestKnown('eth_call', [call, 'latest'], (answer) =>
          decodeAttestation(uid, answer),
        );
        return { kind: 'read', chainId: await rpc.chainId(), attestation };
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
        return { kind: 'unreachable', reason: reasonOf(error, chainId) };
      }
    },
  };
}

function reasonOf(error: ChainUnavailable, chainId: number): string {
  if (error instanceof WrongChain) return `the endpoint is of a different chain, not ${chainId}`;
  if (error instanceof NodeError) return 'the endpoint refuses to answer';
  if (!(error instanceof EndpointFault)) return 'the endpoint answers nonsense';
  if (error.kind === 'busy') return 'the endpoint has too many requests now, and anchoring has priority';
  return error.kind === 'slow' ? 'the endpoint gives no answer in time' : 'the endpoint cannot be reached';
}
