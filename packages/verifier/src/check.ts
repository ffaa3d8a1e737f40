/** `wait`: unknown now, try again. `info`: nothing to check. */
export type Verdict = 'pass' | 'fail' | 'wait' | 'info';

/** docs/specification.md#verification */
export interface Badges {
  words: 'match' | 'mismatch' | 'sealed' | 'erased';
  batch: 'included' | 'excluded' | 'pending' | 'direct';
  chain: 'attested' | 'late' | 'mismatch' | 'revoked' | 'pending' | 'unreachable';
}

/** A value that a check used. */
export interface CheckedValue {
  label: string;
  value: string;
  copy: boolean;
}

export interface Check<Key extends keyof Badges = keyof Badges> extends CheckResult<Badges[Key]> {
  key: Key;
  title: string;
  learn: string;
}

export interface CheckResult<Badge extends string> {
  verdict: Verdict;
  badge: Badge;
  detail: string;
  evidence: CheckedValue[];
}

/** By a witness: the words or their hash existed by `time`, by the witness's clock; null: not proven. */
export interface WitnessCheck<Badge extends string> extends CheckResult<Badge> {
  time: string | null;
}

export type Finding<Key extends keyof Badges> = CheckResult<Badges[Key]>;

export const exact = (label: string, value: string): CheckedValue => ({ label, value, copy: true });

export const remark = (label: string, value: string): CheckedValue => ({ label, value, copy: false });

export const finding = <const V extends Verdict, const Badge extends string>(
  verdict: V,
  badge: Badge,
  detail: string,
  evidence: CheckedValue[] = [],
) => ({ verdict, badge, detail, evidence });
