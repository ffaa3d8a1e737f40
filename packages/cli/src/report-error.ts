import { ApiError, ConnectionError, ReceiptError, WaitError } from '@svc/sdk';
import { CommandError, EXIT } from './exit.ts';
import { inert } from './inert.ts';

const HINTS: Partial<Record<string, string>> = {
  unauthorized: 'Register with `svc register`, sign in with `svc login`, or name a key with SVC_API_KEY.',
  forbidden: 'A read key cannot write, and only its author can reveal or retract an etch.',
};

/** What to say of an error, and the exit status it ends the program with. */
export function reportError(error: unknown): { status: number; text: string } {
  if (error instanceof CommandError) return { status: error.status, text: inert(error.message) };
  if (error instanceof ApiError) return { status: statusOf(error), text: apiWords(error) };
  if (error instanceof ConnectionError) {
    const unsure = error.mayHaveHappened ? ' It may have been carried out all the same.' : '';
    return { status: EXIT.unavailable, text: inert(`${error.message}.${unsure}`) };
  }
  if (error instanceof WaitError) return { status: EXIT.wait, text: inert(error.message) };
  if (error instanceof ReceiptError)
    return { status: EXIT.fail, text: inert(`not a valid receipt: ${error.message}`) };
  return { status: EXIT.defect, text: String((error as Error).stack) };
}

function statusOf({ code, status }: ApiError): number {
  if (code === 'unauthorized' || code === 'forbidden') return EXIT.permission;
  if (code === 'not_found') return EXIT.input;
  return status >= 500 || code === 'rate_limited' || code === 'unexpected' ? EXIT.unavailable : EXIT.fail;
}

function apiWords({ message, details, code, retryAfter }: ApiError): string {
  const later = retryAfter === null ? [] : [`Try again in ${retryAfter} seconds.`];
  const issues = details.map(({ path, message: issue }) => `  ${path === '' ? 'request' : path}: ${issue}`);
  const hint = HINTS[code];
  return [message, ...issues, ...later, ...(hint === undefined ? [] : [hint])].map(inert).join('\n');
}
