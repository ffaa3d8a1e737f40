import type { Receipt } from '@svc/protocol';
import { attestationValues, disagreements, secondsToTime } from './attestation.ts';
import type { OnchainAttestation, Reading } from './chain-reader.ts';
import { type CheckedValue, exact, type Finding, finding, remark } from './check.ts';
import type { RevocationResult } from './revocation.ts';
import { distrusted, type Trust } from './trust.ts';

/** A later attestation does not prove `created_at` (docs/specification.md#limits). */
export const LATE_AFTER_MILLISECONDS = 600_000;

/**
 * A retracted etch passes only with its retraction on the chain (docs/specification.md#merkle-rules).
 * @param createdAt null unless the canonical string makes the hash
 */
export function checkChain(
  receipt: Receipt,
  trust: Trust,
  commitment: Reading,
  createdAt: string | null,
  revocation: RevocationResult,
): Finding<'chain'> {
  const attested = checkCommitment(receipt, trust, commitment, createdAt);
  const evidence = [...attested.evidence, ...revocation.evidence];
  const decided =
    attested.verdict === 'fail' || (attested.verdict === 'wait' && revocation.verdict !== 'fail');
  if (decided || revocation.state === 'none') return { ...attested, evidence };
  return finding(revocation.verdict, revocation.state, `${attested.detail} ${revocation.detail}`, evidence);
}

function checkCommitment(
  receipt: Receipt,
  trust: Trust,
  commitment: Reading,
  createdAt: string | null,
): Finding<'chain'> {
  const claims = distrusted(receipt.chain, trust);
  if (claims.length > 0) return mismatch(`The receipt names what is not trusted: ${claims.join('; ')}.`, []);
  if (commitment.state === 'read') return checkAttestation(receipt, trust, commitment.attestation, createdAt);
  const uid = receipt.chain.attestation_uid;
  const evidence = uid === null ? [] : [exact('Attestation', uid)];
  if (commitment.state === 'unreachable')
    return finding(
      'wait',
      'unreachable',
      `The chain could not be read: ${commitment.reason}. This says nothing about the etch.`,
      evidence,
    );
  const detail =
    commitment.state === 'pending'
      ? 'The etch is not attested yet.'
      : 'The attestation is not on the chain, or not yet at this endpoint.';
  return finding('wait', 'pending', detail, evidence);
}

function checkAttestation(
  { chain, hash, inclusion, status }: Receipt,
  trust: Trust,
  found: OnchainAttestation,
  createdAt: string | null,
): Finding<'chain'> {
  const evidence = attestationValues(found);
  const attested = secondsToTime(found.time);
  const root = inclusion?.root ?? hash;
  const expected = {
    root,
    kind: 0,
    treeVersion: inclusion?.tree_version ?? 0,
    treeSize: inclusion?.tree_size ?? 1,
    attesters: [chain.relayer],
  } as const;
  const faults = disagreements(found, expected, trust);
  if (chain.expect_onchain !== root) faults.push(`the receipt expects ${chain.expect_onchain} on the chain`);
  if (chain.anchored_at !== null && chain.anchored_at !== attested)
    faults.push(`the receipt says it was attested at ${chain.anchored_at}, the chain says ${attested}`);
  if (inclusion !== null && found.revocationTime !== 0)
    faults.push('it was revoked, and a tree is never revoked');
  if (faults.length > 0)
    return mismatch(`The attestation does not fit the receipt: ${faults.join('; ')}.`, evidence);
  const timed = checkTime(found.time, createdAt, evidence);
  if (timed.verdict === 'fail' || found.revocationTime === 0 || status === 'retracted') return timed;
  const revoked = secondsToTime(found.revocationTime);
  return finding(
    'info',
    'revoked',
    `${timed.detail} It was revoked at ${revoked}, as happens when an author retracts an etch.`,
    [...timed.evidence, remark('Revoked at', revoked)],
  );
}

/** Chains have whole seconds. */
function checkTime(seconds: number, createdAt: string | null, evidence: CheckedValue[]): Finding<'chain'> {
  const attested = secondsToTime(seconds);
  const proven = `The named attester attested it at ${attested}`;
  if (createdAt === null) return finding('pass', 'attested', `${proven}: it existed by then.`, evidence);
  const created = Date.parse(createdAt);
  const all = [...evidence, remark('Stated time', createdAt)];
  if (seconds < Math.floor(created / 1000))
    return mismatch(`The attestation of ${attested} is older than the stated time ${createdAt}.`, all);
  return seconds * 1000 - created > LATE_AFTER_MILLISECONDS
    ? finding(
        'pass',
        'late',
        `${proven}, more than ten minutes after the stated time ${createdAt}: the time proven is the later one.`,
        all,
      )
    : finding('pass', 'attested', `${proven}, within ten minutes after the stated time ${createdAt}.`, all);
}

const mismatch = (detail: string, evidence: CheckedValue[]) => finding('fail', 'mismatch', detail, evidence);
