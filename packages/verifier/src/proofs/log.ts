import type { Receipt } from '@svc/protocol';
import { checkTlogProof, type Policy, TlogError } from '@svc/protocol/tlog';
import { type CheckedValue, remark, type WitnessCheck } from '../check.ts';
import type { ProofKind } from './proof-kind.ts';

/** A C2SP tlog-proof: the log of trees has the etch, in a checkpoint with cosignatures. */
export const LOG = {
  need: 'log',
  field: 'log',
  title: 'The log of trees',
  witness: 'tlog',
  about: 'witnesses of the log of trees',
  found: 'a proof of the log of trees',
} as const satisfies ProofKind;

/** `time`: by which the quorum had seen the tree. */
export type LogCheck = WitnessCheck<'witnessed' | 'logged' | 'unseen' | 'none' | 'mismatch'>;

/** Clocks differ; a cosignature of a later time does not count. */
const AHEAD_SECONDS = 60;

/**
 * docs/protocol.md#417-the-log-of-trees
 * @param now milliseconds since 1970
 * @example
 * checkLog(evidence.receipt, 'not a proof', parsePolicy(policy), Date.now()).verdict; // 'fail'
 */
export function checkLog({ hash, author }: Receipt, proof: string, policy: Policy, now: number): LogCheck {
  const check = (
    verdict: LogCheck['verdict'],
    badge: LogCheck['badge'],
    detail: string,
    evidence: CheckedValue[] = [],
    time: string | null = null,
  ) => ({ verdict, badge, detail, evidence, time });
  let found: ReturnType<typeof checkTlogProof>;
  try {
    const etch = { hash, userId: author.user_id, kind: 0 } as const;
    found = checkTlogProof(proof, etch, policy, now / 1000 + AHEAD_SECONDS);
  } catch (error) {
    if (!(error instanceof TlogError)) throw error;
    return check('fail', 'mismatch', `The proof of the log does not hold: ${error.message}.`);
  }
  const { checkpoint, witnesses, time } = found;
  const seen = witnesses.length === 0 ? 'none' : witnesses.join(', ');
  const evidence = [
    remark('Log', `${checkpoint.origin}, size ${checkpoint.size}`),
    remark('Witnesses', seen),
  ];
  if (time === null) {
    const detail = `The log has it, but the quorum of your policy has not cosigned (witnesses: ${seen}).`;
    return check('wait', 'unseen', detail, evidence);
  }
  if (time === 0)
    return check('pass', 'logged', 'The log has it. Your policy requires no witness.', evidence);
  const seenBy = new Date(time * 1000).toISOString();
  const detail = `The witnesses that your policy requires had seen its tree by ${seenBy}, by their own clocks.`;
  return check('pass', 'witnessed', detail, evidence, seenBy);
}
