import type { Check, Verdict } from '../check.ts';
import type { Verification } from '../verification.ts';
import type { Evidence } from './evidence-form.ts';

/** Who says by when the words of an evidence file existed: the chain, a time-stamping authority. */
export const REQUIREMENTS = ['chain', 'tsa'] as const;
export type Requirement = (typeof REQUIREMENTS)[number];

/** What a check of the time stamps in a file found (`checkTimestamps` of `@svc/timestamp` finds it). */
export interface TimestampFinding {
  verdict: Verdict;
  badge: string;
  detail: string;
  /** by when the words existed, by the authority's clock; null where nothing shows it */
  time: string | null;
}

/** What one of them says, by itself. */
export interface WitnessVerdict extends TimestampFinding {
  by: Requirement;
  /** by the reader: only what is required has to pass */
  required: boolean;
}

/**
 * What each says of the file, beside the others, and from which time it speaks; `stamped` is null where nobody checked time stamps.
 * @throws {TypeError} when something is required that is not known, or nothing at all
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
    throw new TypeError(`what is required is one or both of ${REQUIREMENTS.join(', ')}`);
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
 * Does it hold a time stamp of everything that is stamped? A revocation, which has no tree, has none of its own.
 * @example
 * isStamped({ ...evidence, witnesses: [] }); // false
 */
export function isStamped({ receipt: { revocation }, witnesses = [] }: Evidence): boolean {
  const stamped = witnesses.filter(({ kind }) => kind === TIMESTAMP).map(({ of }) => of);
  return stamped.includes('commitment') && (revocation?.kind !== 1 || stamped.includes('tombstone'));
}

const NOT_JUDGED: TimestampFinding = {
  ...{ verdict: 'wait', badge: 'unjudged', time: null },
  detail: 'Time stamps were not judged: nothing that checks them was given.',
};

/**
 * How a check counts: what waits and is not required keeps nothing from passing; what is wrong is wrong, whoever requires it.
 * @example
 * counted({ verdict: 'wait' }, false).verdict; // 'info'
 * counted({ verdict: 'fail' }, false).verdict; // 'fail'
 */
export const counted = (check: Pick<Check, 'verdict'>, required: boolean): Pick<Check, 'verdict'> =>
  check.verdict === 'wait' && !required ? { verdict: 'info' } : check;
