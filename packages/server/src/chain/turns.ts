import { EndpointFault } from './json-rpc.ts';

export function createTurns(atOnce: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let working = 0;
  const queue: (() => void)[] = [];
  return async (work) => {
    if (working < atOnce) working++;
    else if (queue.length >= waiting)
      throw new EndpointFault('too many requests wait for the chain', 'busy', 1_000);
    else await new Promise<void>((resolve) => queue.push(resolve));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else working--;
    }
  };
}
