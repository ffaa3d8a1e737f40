import type { ChainAnswer, ChainReader } from '@svc/verifier';

const REUSED_FOR_MS = 5_000;
const MOST_KEPT = 1_000;

/** Lets equal reads share one, and reuses an answer for five seconds (docs/specification.md#get-verifyid). */
export function cachedReader(reader: ChainReader): ChainReader {
  const kept = new Map<string, { at: number; answer: Promise<ChainAnswer> }>();
  return {
    async attestation(contract, uid, chainId) {
      const name = `${chainId}:${contract}:${uid}`;
      const now = performance.now();
      const found = kept.get(name);
      if (found && now - found.at < REUSED_FOR_MS) return found.answer;
      for (const [old, { at }] of kept) {
        if (now - at < REUSED_FOR_MS && kept.size < MOST_KEPT) break;
        kept.delete(old);
      }
      const answer = reader.attestation(contract, uid, chainId);
      kept.delete(name);
      kept.set(name, { at: now, answer });
      // What could not be read is asked again at once.
      void answer.then(
        ({ kind }) => kind === 'unreachable' && kept.delete(name),
        () => kept.delete(name),
      );
      return answer;
    },
  };
}
