import type { FormProblem } from '@svc/web';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../../../db/db.ts';
import { RateLimited } from '../../../errors/failure.ts';
import { answerFailure } from '../../errors.ts';
import { SignedOut } from '../session.ts';

/** Sets the status of an answer that shows the form again, and says what there is to say in it. */
export function formProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FormProblem {
  const failure = answerFailure(error, request, reply);
  // Of credentials in a header a browser knows nothing.
  void reply.removeHeader('WWW-Authenticate');
  return {
    message: failure.message,
    details: failure.details,
    ...(failure instanceof RateLimited && { retryAfter: failure.retryAfter }),
    ...(error instanceof SignedOut && { signedOut: true }),
  };
}

/**
 * What a page shows beside its form, read for it. Where a form is shown again because nobody is signed in any more or
 * the database is away, there is nothing to read: the form, with what was typed in it, is shown without.
 */
export async function beside<T>(
  problem: FormProblem | undefined,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (problem && (error instanceof SignedOut || error instanceof DatabaseUnavailable)) return undefined;
    throw error;
  }
}

/** A date field holds a time without a zone: it is UTC here. What is no such time stays as it is, to be refused. */
export function utcOf(text: string): string {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?$/.exec(text);
  return match ? `${match[1]}${match[2] ?? ':00'}Z` : text;
}
