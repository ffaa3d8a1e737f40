import type { Verified, VerifiedEvidence, VerifiedTrust } from '@svc/sdk';
import { PROOF_KINDS } from '@svc/verifier/evidence';
import type { indexReport } from '@svc/verifier/account-index';

/** Printed next to fields that no check covers. */
export const NOT_PROVEN = 'Only the receipt states this: no check proves it.';

/** docs/claims.md lists the checks behind each sentence. */
const MEANINGS = {
  pass: 'The words or their hash were on the chain by onchain_time, attested by a relayer that the operator trusts.',
  fail: 'A check contradicts the receipt: see checks.',
  wait: 'Not every check can finish now; no check contradicts the receipt.',
  byOperator:
    'The record has every etch of the operator’s index; nobody whom you named has recomputed or dated the index. svc audit --index with a policy names such a witness.',
  omitted: 'Something is left out or different, or the index contradicts itself: see faults.',
  unread: 'Not everything can be read now; nothing that was read contradicts the record.',
  unpinned:
    'Checked only against values that the service publishes: it holds only if these relayers are the right ones. An operator pins them with SVC_CHAIN_ID, SVC_ATTESTATION_CONTRACT, SVC_SCHEMA_UID and SVC_RELAYERS.',
  development:
    'This is a development chain: its operator can write any history, so this proves nothing to others.',
} as const;

export function meaning(result: Verified['result'], trust: VerifiedTrust): string {
  const words: string = result !== 'fail' && !trust.pinned ? MEANINGS.unpinned : MEANINGS[result];
  return trust.developmentChain ? `${words} ${MEANINGS.development}` : words;
}

/** A verdict that does not require the chain does not depend on the relayers. */
export function evidenceMeaning(
  result: Verified['result'],
  trust: VerifiedTrust,
  witnesses: VerifiedEvidence['witnesses'],
): string {
  const first = witnesses.find(({ required }) => required)?.by;
  const kind = PROOF_KINDS.find(({ need }) => need === first);
  return result === 'pass' && kind !== undefined && 'client' in kind
    ? `The words or their hash existed by the time of the ${kind.need} in witnesses, by ${kind.client.clock}; the chain was not required.`
    : meaning(result, trust);
}

/** Here no reader names a witness that recomputes the index, so the result is never pass. */
export function indexMeaning({ result, unproven }: IndexResult): string {
  if (result === 'fail') return MEANINGS.omitted;
  return unproven.length > 0 ? MEANINGS.unread : MEANINGS.byOperator;
}

type IndexResult = Pick<ReturnType<typeof indexReport>, 'unproven'> & { result: Verified['result'] };
