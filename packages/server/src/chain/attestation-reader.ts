// Reads attestations for the verifier. Callers share equal reads and may reuse one for five seconds.
import type { ChainAnswer, ChainReader } from '@svc/verifier';
import type { Rpc } from './client.ts';
import { readAttestation } from './eas-codec.ts';
import { EndpointFault, NodeError } from './json-rpc.ts';
import { ChainUnavailable, WrongChain } from './port.ts';

export function attestationReader(rpc: Rpc): ChainReader {
  return {
    async attestation(contract, uid, chainId): Promise<ChainAnswer> {
      try {
        const attestation = await readAttestation(rpc, contract, uid);
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

const REUSED_FOR_MS = 5_000;
const MOST_KEPT = 1_000;

type Admit = () => Promise<string | undefined>;

/** Cached answers do not count for the caller's limit. */
export type ReaderFor = (admit: Admit) => ChainReader;

export function cachedReader(reader: ChainReader, reusedForMs = REUSED_FOR_MS): ReaderFor {
  const kept = new Map<string, { at: number; answer: Promise<ChainAnswer> }>();
  const isFresh = ({ at }: { at: number }) => performance.now() - at < reusedForMs;

  function known(name: string): Promise<ChainAnswer> | undefined {
    const found = kept.get(name);
    return found && isFresh(found) ? found.answer : undefined;
  }

  function ask(name: string, question: Parameters<ChainReader['attestation']>): Promise<ChainAnswer> {
    for (const [old, found] of kept) {
      if (isFresh(found) && kept.size < MOST_KEPT) break;
      kept.delete(old);
    }
    const answer = reader.attestation(...question);
    kept.delete(name);
    kept.set(name, { at: performance.now(), answer });
    void answer.then(
      ({ kind }) => kind === 'unreachable' && kept.delete(name),
      () => kept.delete(name),
    );
    return answer;
  }

  return (admit) => ({
    async attestation(...question) {
      const [contract, uid, chainId] = question;
      const name = `${chainId}:${contract}:${uid}`;
      const found = known(name);
      if (found) return found;
      const reason = await admit();
      if (reason !== undefined) return { kind: 'unreachable', reason };
      return known(name) ?? ask(name, question);
    },
  });
}
