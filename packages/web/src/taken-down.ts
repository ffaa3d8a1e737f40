import type { Etch, TakedownReason } from '@svc/contract';

const REASONS: Readonly<Record<TakedownReason, string>> = {
  illegal: 'it broke the law',
  court_order: 'a court ordered it',
  personal_data: 'it held somebody’s personal data',
  copyright: 'it infringed somebody’s rights',
  abuse: 'it abused or harassed somebody',
  malware: 'it led to malware',
};

/** Why the operator took it down; null when its author took it back, or nobody did. */
export const takenDownFor = (etch: Etch): string | null =>
  etch.status === 'retracted' && etch.retraction_reason !== undefined
    ? REASONS[etch.retraction_reason]
    : null;

/** Whose doing a retraction was, to put after “erased” or “taken down”. */
export function erasedBy(etch: Etch): string {
  const reason = takenDownFor(etch);
  return reason === null ? 'by its author' : `by the operator, because ${reason},`;
}
