import { factsAt } from './ask-service.ts';
import { addPin, canBePinned, isLoopback, pinsPath, readPin, refuseChanges } from './pins.ts';

/**
 * Never pins over plain http, nor on this machine, whose chain is often recreated.
 * @returns pins the service; call it once the account exists
 */
export async function contact(
  origin: string,
  env: NodeJS.ProcessEnv,
): Promise<() => { pinned: boolean; words: string[] }> {
  const path = pinsPath(env);
  const facts = await factsAt(origin);
  const pin = readPin(path, origin);
  if (pin !== null && facts !== null) refuseChanges(path, origin, pin, facts);
  return () => {
    if (pin !== null) return { pinned: true, words: [] };
    if (facts === null || !canBePinned(origin) || isLoopback(origin)) return { pinned: false, words: [] };
    addPin(path, origin, facts);
    return {
      pinned: true,
      words: [
        `Its chain, relayer and promise keys are pinned in ${path}; svc verify and svc audit now trust them.`,
      ],
    };
  };
}
