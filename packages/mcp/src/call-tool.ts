import type { CallToolResult } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import type { Session } from './session.ts';
import type { Tool } from './tool.ts';
import { visible } from './visible-json.ts';
import { ApiError, ConnectionError, MisfitError, ReceiptError, RetractedError } from '@svc/sdk';
import { MalformedWords, WARNING } from './untrusted.ts';
import type { Keeper } from './profile.ts';

/** Returns failures as answers. */
export async function callTool(
  tool: Tool,
  schema: z.ZodObject,
  given: Record<string, unknown>,
  session: Session,
  signal?: AbortSignal,
): Promise<CallToolResult> {
  try {
    await session.renew();
    const { api_key: apiKey, ...input } = checked(schema, given);
    const actor = tool.forAccount === true ? session.speakingFor(apiKey as string | undefined) : session;
    const value = await tool.run(input, actor, signal);
    const { text, values } = await visible(value);
    return { ...answerOf(text, session), structuredContent: values };
  } catch (error) {
    const { text } = await visible(explain(error, session.settings.keeper?.clockWords));
    return { ...answerOf(text, session), isError: true };
  }
}

/** @throws {TypeError} naming the wrong argument, without its value */
function checked(schema: z.ZodObject, given: Record<string, unknown>): Record<string, unknown> {
  const { success, data, error } = schema.safeParse(given);
  if (success) return data;
  const faults = error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`);
  throw new TypeError(faults.join('; '));
}

function answerOf(text: string, session: Session): CallToolResult {
  // A defect must not show a secret to the model.
  if (session.secrets.some((secret) => text.includes(secret)))
    throw new Error('the answer contained a secret of this connection and was withheld');
  return { content: [{ type: 'text', text }] };
}

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
    const shown = { code: 'no_answer', message };
    if (mayHaveHappened && key !== null) return { error: { ...shown, hint: REPEAT, idempotency_key: key } };
    return {
      error: {
        ...shown,
        hint: mayHaveHappened ? READ_FIRST : 'The request was not carried out. Try again later.',
      },
    };
  }
  if (error instanceof RetractedError)
    return failed('retracted', error.message, 'To etch the text again, use a new idempotency_key.');
  if (error instanceof MalformedWords)
    return {
      warning: WARNING,
      ...failed(
        'malformed_words',
        error.message,
        'Correct the content. etch, seal and enter_challenge accept it as plain text with as_text: true.',
      ),
      untrusted: { reason: error.reason },
    };
  if (error instanceof ReceiptError) return failed('bad_receipt', error.message);
  // By its name, because the service does not load svc. The messages of svc never contain a key.
  const isOfSvc = error instanceof Error && error.name === 'CommandError';
  if (isOfSvc || error instanceof TypeError) return failed('bad_input', error.message);
  return failed('defect', 'the MCP server failed because of a defect; this says nothing about the etch');
}

const failed = (code: string, message: string, hint?: string) => ({
  error: { code, message, ...(hint !== undefined && { hint }) },
});

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
