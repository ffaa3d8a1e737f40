// Counts the calls of a chain by outcome, for the metrics.
import { type Chain, ChainUnavailable } from './port.ts';

export type ChainCallOutcome = 'ok' | 'unavailable' | 'failed';

export function observeChain(
  chain: Chain,
  ended: (question: string, outcome: ChainCallOutcome) => void,
): Chain {
  return new Proxy(chain, {
    get(target, name, receiver) {
      const value: unknown = Reflect.get(target, name, receiver);
      if (typeof value !== 'function' || typeof name !== 'string') return value;
      return (...args: unknown[]): unknown => {
        const answer: unknown = Reflect.apply(value, target, args);
        if (answer instanceof Promise)
          answer.then(
            () => ended(name, 'ok'),
            (error: unknown) => ended(name, error instanceof ChainUnavailable ? 'unavailable' : 'failed'),
          );
        return answer;
      };
    },
  });
}
