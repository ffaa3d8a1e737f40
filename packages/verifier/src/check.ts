/** `wait`: not known yet or not readable now, ask again. `info`: nothing to check here, and why. */
export type Verdict = 'pass' | 'fail' | 'wait' | 'info';

/** The badges of each check (docs/specification.md#verification). */
export interface Badges {
  words: 'match' | 'mismatch' | 'sealed' | 'erased';
  batch: 'included' | 'excluded' | 'pending' | 'direct';
  chain: 'attested' | 'late' | 'mismatch' | 'revoked' | 'pending' | 'unreachable';
}

/** One value a reader can compare for themselves; `copy` says that it is worth a copy button. */
export interface Evidence {
  label: string;
  value: string;
  copy: boolean;
}

/** One check of a verification (docs/specification.md#verification). */
export interface Check<Key extends keyof Badges = keyof Badges> {
  key: Key;
  title: string;
  verdict: Verdict;
  badge: Badges[Key];
  detail: string;
  evidence: Evidence[];
  /** where the rule is explained */
  learn: string;
}

/** What a check found, before it is dressed for a reader. */
export type Finding<Key extends keyof Badges> = Pick<Check<Key>, 'verdict' | 'badge' | 'detail' | 'evidence'>;

/** A hash, uid, address or text. */
export const exact = (label: string, value: string): Evidence => ({ label, value, copy: true });

/** A number, time or remark. */
export const remark = (label: string, value: string): Evidence => ({ label, value, copy: false });
