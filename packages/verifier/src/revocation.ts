import { isPossibleLength, type Receipt, type SingleRevocation, type TreeRevocation } from '@svc/protocol';
import { attestationValues, disagreements, secondsToTime } from './attestation.ts';
import { foldedRoot } from './batch.ts';
import type { Reading } from './chain-reader.ts';
import { type CheckedValue, exact, remark, type Verdict } from './check.ts';
import type { Trust } from './trust.ts';

/** `none`: the receipt names no retraction. */
export interface RevocationResult {
  state: 'none' | 'revoked' | 'pending' | 'unreachable' | 'mismatch';
  verdict: Verdict;
  detail: string;
  evidence: CheckedValue[];
  attestationUid: string | null;
  /** proven by the chain */
  time: string | null;
}

const VERDICTS = {
  none: 'info',
  revoked: 'pass',
  pending: 'wait',
  unreachable: 'wait',
  mismatch: 'fail',
} as const;

/**
 * The commitment's attester must attest the retraction (docs/specification.md#merkle-rules). Without a tree
 * the etch's own attestation must be revoked.
 */
export function checkRevocation(
  receipt: Receipt,
  trust: Trust,
  commitment: Reading,
  tombstone: Reading,
): RevocationResult {
  const { status, revocation } = receipt;
  if (status !== 'retracted') return result('none', null, 'The receipt names no retraction.');
  if (revocation?.kind === 1) return checkTombstone(receipt, revocation, trust, commitment, tombstone);
  return checkOwnRevocation(receipt, revocation, commitment);
}

function checkTombstone(
  { author, chain, hash, inclusion }: Receipt,
  revocation: TreeRevocation,
  trust: Trust,
  commitment: Reading,
  tombstone: Reading,
): RevocationResult {
  const { root, proof, tree_version: version, tree_size: size, attestation_uid: uid } = revocation;
  if (inclusion === null && chain.attestation_uid !== null)
    return result(
      'mismatch',
      uid,
      'The etch has its own attestation, which a retraction revokes: a tombstone does not count.',
    );
  if (uid === null || root === null || proof === null || version === null || size === null) return pending();
  const folded = foldedRoot(version, author.user_id, hash, proof);
  const evidence = [exact('Tombstone: folded root', folded), exact('Tombstone: root of the tree', root)];
  if (!isPossibleLength(proof.length, size))
    return result(
      'mismatch',
      uid,
      `The tombstone's proof has an impossible length: ${proof.length} in a tree of ${size}.`,
      evidence,
    );
  if (folded !== root)
    return result('mismatch', uid, 'The tombstone does not fold to the root it names.', evidence);
  if (tombstone.state === 'unreachable')
    return result('unreachable', uid, `The tombstone could not be read: ${tombstone.reason}.`, evidence);
  if (tombstone.state !== 'read')
    return result('pending', uid, 'The attestation of the tombstone is not on the chain yet.', evidence);
  const attesters = commitment.state === 'read' ? [commitment.attestation.attester] : trust.relayers;
  const expected = { root, kind: 1, treeVersion: version, treeSize: size, attesters } as const;
  const found = tombstone.attestation;
  const all = [...evidence, ...attestationValues(found, 'Tombstone')];
  const faults = disagreements(found, expected, trust);
  if (found.revocationTime !== 0) faults.push('it was revoked, and a tree is never revoked');
  if (faults.length > 0)
    return result('mismatch', uid, `The tombstone's attestation does not count: ${faults.join('; ')}.`, all);
  const time = secondsToTime(found.time);
  return { ...result('revoked', uid, `The retraction was attested at ${time}.`, all), time };
}

function checkOwnRevocation(
  { inclusion, chain }: Receipt,
  revocation: SingleRevocation | null,
  commitment: Reading,
): RevocationResult {
  const uid = chain.attestation_uid;
  if (revocation === null) return pending();
  if (inclusion !== null)
    return result(
      'mismatch',
      uid,
      'The etch is in a tree, and a tree is never revoked: a tombstone is missing.',
    );
  if (revocation.attestation_uid !== null && revocation.attestation_uid !== uid)
    return result('mismatch', uid, 'The revoked attestation is not the attestation of the etch.');
  if (commitment.state === 'unreachable')
    return result('unreachable', uid, `The attestation could not be read: ${commitment.reason}.`);
  if (commitment.state !== 'read' || commitment.attestation.revocationTime === 0) return pending();
  const time = secondsToTime(commitment.attestation.revocationTime);
  const evidence = [remark('Revoked at', time)];
  return { ...result('revoked', uid, `The etch's own attestation was revoked at ${time}.`, evidence), time };
}

const pending = () => result('pending', null, 'The retraction is not on the chain yet.');

function result(
  state: RevocationResult['state'],
  attestationUid: string | null,
  detail: string,
  evidence: CheckedValue[] = [],
): RevocationResult {
  return { state, verdict: VERDICTS[state], detail, evidence, attestationUid, time: null };
}
