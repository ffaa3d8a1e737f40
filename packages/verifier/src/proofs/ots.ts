import type { ProofKind } from './proof-kind.ts';

/** An OpenTimestamps file of the SHA-256 of that data. `checkOts` of `@svc/timestamp/ots` checks it. */
export const OTS = {
  need: 'ots',
  field: 'ots',
  title: 'The OpenTimestamps proof',
  witness: 'ots',
  about: 'OpenTimestamps',
  found: 'an OpenTimestamps proof',
} as const satisfies ProofKind;
