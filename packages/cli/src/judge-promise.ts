import type { ServiceFacts } from '@svc/sdk';
import { checkPromise, type KeptPromise, type PromiseCheck, type PromisedEtch } from '@svc/verifier';
import type { NamedTrust } from './find-trust.ts';
import type { Pin } from './pins.ts';
import { choosePromiseTrust } from './promise-file.ts';

export interface Known {
  named: NamedTrust | null;
  pin: Pin | null;
  facts: ServiceFacts | null;
}

export function judgePromise(
  kept: KeptPromise,
  etch: Omit<Extract<PromisedEtch, { state: 'found' }>, 'pinned'> | { state: 'missing' },
  service: string | null,
  { named, pin, facts }: Known,
  flags: readonly string[],
): { check: PromiseCheck; notes: string[] } {
  const namedKeys = named?.facts.promiseKeys ?? null;
  const { trust, notes } = choosePromiseTrust(
    flags,
    namedKeys,
    pin?.promiseKeys ?? null,
    facts?.promiseKeys ?? null,
  );
  const originKeys = [
    ...(pin?.promiseKeys ?? []),
    ...(service !== null && named?.origin === service ? named.facts.promiseKeys : []),
  ];
  const pinned = service !== null && originKeys.includes(kept.promise.public_key);
  return { check: checkPromise(kept, trust, { ...etch, pinned }, Date.now()), notes };
}
