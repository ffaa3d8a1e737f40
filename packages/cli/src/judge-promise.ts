import type { SignedPromise } from '@svc/protocol';
import type { ServiceFacts } from '@svc/sdk';
import { checkPromise } from '@svc/verifier';
import type { PromiseCheck, PromisedEtch } from '@svc/verifier';
import type { NamedTrust } from './find-trust.ts';
import type { Pin } from './pins.ts';
import { choosePromiseTrust } from './promise-file.ts';

/** What is known of the service that a receipt belongs to. */
export interface Known {
  named: NamedTrust | null;
  pin: Pin | null;
  facts: ServiceFacts | null;
}

/** Judges a promise; only what comes from the origin whose keys the reader pinned can break it. */
export function judgePromise(
  promise: SignedPromise,
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
  const pinned = service !== null && originKeys.includes(promise.public_key);
  return { check: checkPromise(promise, trust, { ...etch, pinned }, Date.now()), notes };
}
