import type { Check, Verdict } from '../check.ts';
import type { Verification } from '../verification.ts';
import type { Evidence } from './evidence-form.ts';

export const REQUIREMENTS = ['chain', 'tsa'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** From `checkTimestamps` of `@svc/timestamp`. */
export interface TimestampFinding {
  verdict: Verdict;
  badge: string;
  detail: string;
  /** the words or their hash existed by then, by the authority's clock */
  time: string | null;
}

export interface WitnessVerdict extends TimestampFinding {
  by: Requirement;
  required: boolean;
}

/**
 * @param stamped null when time stamps were not checked
 * @throws {TypeError} when `require` is empty or names something unknown
 * @example
 * const verification = await verifyEvidence(evidence, trust, blockHashes([blockHash]));
 * const [chain, tsa] = judgeWitnesses(evidence, verification, null, ['chain', 'tsa']);
 * [chain.verdict, tsa.verdict]; // ['pass', 'wait']
 */
export function judgeWitnesses(
  { witnesses = [] }: Evidence,
  { checks: [, , chain], chain: read }: Verification,
  stamped: TimestampFinding | null,
  require: readonly Requirement[] = ['chain'],
): WitnessVerdict[] {
  if (require.length === 0 || !require.every((what) => REQUIREMENTS.includes(what)))
    throw new TypeError(`require: give one or both of ${REQUIREMENTS.join(', ')}`);
  const { verdict, badge, detail } = chain;
  const time = verdict === 'pass' ? read.onchainTimestamp : null;
  const required = (by: Requirement) => ({ by, required: require.includes(by) });
  const hasTokens = witnesses.some(({ kind }) => kind === TIMESTAMP);
  return [
    { ...required('chain'), verdict, badge, detail, time },
    ...(stamped !== null || hasTokens || require.includes('tsa')
      ? [{ ...required('tsa'), ...(stamped ?? NOT_JUDGED) }]
      : []),
  ];
}

const TIMESTAMP = 'rfc3161';

/**
 * A revocation without a tree has no time stamp.
 * @example
 * isStamped({ ...evidence, witnesses: [] }); // false
 */
export function isStamped({ receipt: { revocation }, witnesses = [] }: Evidence): boolean {
  const stamped = witnesses.filter(({ kind }) => kind === TIMESTAMP).map(({ of }) => of);
  return stamped.includes('commitment') && (revocation?.kind !== 1 || stamped.includes('tombstone'));
}

const NOT_JUDGED: TimestampFinding = {
  verdict: 'wait',
  badge: 'unjudged',
  time: null,
  detail: 'Time stamps were not checked: the caller supplied no check for them.',
};

/**
 * Ignores a check that waits and is not required.
 * @example
 * counted({ verdict: 'wait' }, false).verdict; // 'info'
 */
export const counted = (check: Pick<Check, 'verdict'>, required: boolean): Pick<Check, 'verdict'> =>
  check.verdict === 'wait' && !required ? { verdict: 'info' } : check;
