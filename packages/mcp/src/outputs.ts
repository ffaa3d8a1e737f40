import type { Etched, Verification, VerifiedTrust } from '@svc/sdk';
import type { Settings } from './settings.ts';
import { splitEtch, untrustedNote } from './untrusted.ts';

export const ETCH = { etch: 'object' } as const;

/** The answer to an etch. Without a pinned key the signer of the promise is not verified. */
export const MADE = {
  replayed: 'boolean',
  etch: 'object',
  promise: 'object',
  promise_key: 'string',
  'untrusted?': 'object',
} as const;
export const DESCRIBED = { ...MADE, 'description_warning?': 'string' } as const;

/** @param first further fields */
export const answerMade = <First extends object = object>(
  { replayed, etch: created, promise, note }: Etched,
  { drand, promiseKeys = [] }: Settings,
  first?: First,
) => ({
  ...first,
  replayed,
  etch: splitEtch(created, drand),
  promise,
  promise_key: promiseKeys.length > 0 ? 'pinned' : 'not pinned',
  ...untrustedNote(note),
});

export const CHOSEN = ['username', 'display_name', 'social_handle', 'agent_url', 'agent_domain'] as const;

export const checksOf = ({ checks: all }: Verification) =>
  all.map(({ key, verdict, badge, detail }) => ({ key, verdict, badge, detail }));
export const trustOf = ({ pinned, developmentChain, chainId, relayers }: VerifiedTrust) => ({
  pinned,
  development_chain: developmentChain,
  chain_id: chainId,
  relayers,
});
