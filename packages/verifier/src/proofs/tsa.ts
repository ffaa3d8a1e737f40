import type { ProofKind } from './proof-kind.ts';

/** A token over the 128 bytes of the attestation's data. `checkTimestamps` of `@svc/timestamp` checks it. */
export const TSA = {
  need: 'tsa',
  field: 'timestamp',
  title: 'The time stamp',
  witness: 'rfc3161',
  about: 'a time stamp',
  found: 'a time stamp of an authority',
  client: { clock: 'the clock of an authority whose certificate is trusted', option: 'timestamps' },
} as const satisfies ProofKind;
