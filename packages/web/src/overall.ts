import type { Verdict } from '@svc/contract';

/** One word for all checks, as the verifier says it: any `fail` fails, else any `wait` waits, else it holds. */
export function overallOf(checks: readonly { verdict: Verdict }[]): Exclude<Verdict, 'info'> {
  if (checks.some(({ verdict }) => verdict === 'fail')) return 'fail';
  return checks.some(({ verdict }) => verdict === 'wait') ? 'wait' : 'pass';
}
