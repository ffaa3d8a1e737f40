import type { Etch, TakedownReason } from '@svc/contract';

const REASONS: Readonly<Record<TakedownReason, string>> = {
  illegal: 'it broke the law',
  court_order: 'a court ordered it',
  personal_data: 'it contained personal data of another person',
  copyright: 'it infringed somebody’s rights',
  abuse: 'it abused or harassed a person',
  malware: 'it led to malware',
};

export const takenDownFor = (etch: Etch): string | null =>
  etch.status === 'retracted' && etch.retraction_reason !== undefined
    ? REASONS[etch.retraction_reason]
    : null;

export function erasedBy(etch: Etch): string {
  const reason = takenDownFor(etch);
  return reason === null ? 'by its author' : `by the operator, because ${reason},`;
}
