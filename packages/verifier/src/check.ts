/** `wait`: unknown or unreadable now, try again. `info`: nothing to check, with the reason. */
export type Verdict = 'pass' | 'fail' | 'wait' | 'info';

/** The badges of each check (docs/specification.md#verification). */
export interface Badges {
  words: 'match' | 'mismatch' | 'sealed' | 'erased';
  batch: 'included' | 'excluded' | 'pending' | 'direct';
  chain: 'attested' | 'late' | 'mismatch' | 'revoked' | 'pending' | 'unreachable';
}

/** One value that a user can compare; `copy`: show a copy button. */
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
  /** link to the rule */
  learn: string;
}

/** The result of a check, without its title and link. */
export type Finding<Key extends keyof Badges> = Pick<Check<Key>, 'verdict' | 'badge' | 'detail' | 'evidence'>;

/** A hash, uid, address or text. */
export const exact = (label: string, value: string): Evidence => ({ label, value, copy: true });

/** A number, time or remark. */
export const remark = (label: string, value: string): Evidence => ({ label, value, copy: false });
