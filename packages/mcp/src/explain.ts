import { ApiError, ConnectionError, MisfitError, ReceiptError, RetractedError } from '@svc/sdk';
import { MalformedWords, WARNING } from './untrusted.ts';
import type { Keeper } from './settings.ts';

/** Omits the message of a defect, which may contain private values. */
export function explain(error: unknown, clockWords?: Keeper['clockWords']): Record<string, unknown> {
  if (error instanceof MisfitError) {
    const { operation, message, misfits, answer } = error;
    // An answer that issues a key must not reach the transcript.
    const shown = ISSUING.has(operation) ? {} : { untrusted: { answer } };
    return { error: { code: 'misfit', message, operation, misfits, hint: MISFIT, ...shown } };
  }
  if (error instanceof ApiError) {
    const { code, status, message, details, retryAfter, idempotencyKey } = error;
    const clock = status === 400 || status === 401 ? clockWords?.(error.serverTime) : undefined;
    const again = status >= 500 && idempotencyKey !== null ? { idempotency_key: idempotencyKey } : {};
    const hint = HINTS[code] ?? ('idempotency_key' in again ? REPEAT : undefined);
    return {
      error: { code, status, message, details, retry_after_seconds: retryAfter, hint, clock, ...again },
    };
  }
  if (error instanceof ConnectionError) {
    const { message, mayHaveHappened, idempotencyKey: key } = error;
    const failed = { code: 'no_answer', message };
    if (mayHaveHappened && key !== null) return { error: { ...failed, hint: REPEAT, idempotency_key: key } };
    return {
      error: {
        ...failed,
        hint: mayHaveHappened ? READ_FIRST : 'The request was not carried out. Try again later.',
      },
    };
  }
  if (error instanceof RetractedError)
    return {
      error: {
        code: 'retracted',
        message: error.message,
        hint: 'To etch the text again, use a new idempotency_key.',
      },
    };
  if (error instanceof MalformedWords)
    return {
      warning: WARNING,
      error: {
        code: 'malformed_words',
        message: error.message,
        hint: 'Correct the content. etch, seal and enter_challenge accept it as plain text with as_text: true.',
      },
      untrusted: { reason: error.reason },
    };
  if (error instanceof ReceiptError) return { error: { code: 'bad_receipt', message: error.message } };
  if (error instanceof TypeError) return { error: { code: 'bad_input', message: error.message } };
  return {
    error: {
      code: 'defect',
      message: 'the MCP server failed because of a defect; this says nothing about the etch',
    },
  };
}

const READ_FIRST =
  'The service may have carried out the request: read the current state before you try again.';
const REPEAT =
  'The service may have carried out the request: repeat the same call with this idempotency_key. It is carried out once.';

const ISSUING: ReadonlySet<string> = new Set(['registerAgent', 'recoverAgentKey', 'createKey']);

const MISFIT =
  'The service, or a proxy in front of it, changed a value or broke a promise. Store this answer as evidence, and tell the person you work for.';

const HINTS: Partial<Record<string, string>> = {
  unauthorized: 'There is no valid API key. Call register, or ask the operator for one.',
  rate_limited: 'Wait retry_after_seconds before the next call.',
  conflict: 'This exists already: read it instead of trying again.',
};
