import type { Verified, VerifiedEvidence, VerifiedTrust } from '@svc/sdk';

/** Beside what stands in a receipt and in nothing that was checked. */
export const NOT_PROVEN = 'The receipt only says so: nothing proves it.';

/** What a verdict says, in a sentence; docs/claims.md says of each what was checked for it. */
const MEANINGS = {
  pass: 'The words or their hash stood on the chain by onchain_time, attested by a relayer that the operator trusts.',
  fail: 'Something in the receipt contradicts what it claims: see checks.',
  wait: 'Not everything can be known now; nothing speaks against the receipt.',
  stamped:
    'The words or their hash existed by the time of the tsa in witnesses, by the clock of an authority whose certificate is trusted; what the chain says was not required.',
  unpinned:
    'Checked only against what the service says of itself: it holds only if these relayers are the right ones. An operator pins them with SVC_CHAIN_ID, SVC_ATTESTATION_CONTRACT, SVC_SCHEMA_UID and SVC_RELAYERS.',
  development:
    'This is a development chain: whoever runs it writes any history, so it convinces nobody else.',
} as const;

export function meaning(result: Verified['result'], trust: VerifiedTrust): string {
  const words: string = result !== 'fail' && !trust.pinned ? MEANINGS.unpinned : MEANINGS[result];
  return trust.developmentChain ? `${words} ${MEANINGS.development}` : words;
}

/** Who requires a time stamp and no chain need not know whose attestations count. */
export const evidenceMeaning = (
  result: Verified['result'],
  trust: VerifiedTrust,
  witnesses: VerifiedEvidence['witnesses'],
): string =>
  result === 'pass' && !witnesses.some(({ by, required }) => by === 'chain' && required)
    ? MEANINGS.stamped
    : meaning(result, trust);
