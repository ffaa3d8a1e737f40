import type { ChainAnswer, ChainReader } from '@svc/verifier';

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
