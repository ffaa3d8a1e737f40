import type { FormProblem } from '@svc/web';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../../../db/db.ts';
import { RateLimited } from '../../../errors/failure.ts';
import { answerFailure } from '../../errors.ts';
import { SignedOut } from '../session.ts';

/** Sets the status of a form that is shown again, and returns the problem to show. */
export function formProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FormProblem {
  const failure = answerFailure(error, request, reply);
  // A browser has no credentials in a header.
  void reply.removeHeader('WWW-Authenticate');
  return {
    message: failure.message,
    details: failure.details,
    ...(failure instanceof RateLimited && { retryAfter: failure.retryAfter }),
    ...(error instanceof SignedOut && { signedOut: true }),
  };
}

/**
 * Reads what a page shows next to its form. If the form is shown again because the session ended or the database is away, nothing is
 * read, and the form shows only the entered text.
 */
export async function readForForm<T>(
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

/** A date field has no zone; the pages read it as UTC. Other text is returned unchanged and rejected later. */
export function utcOf(text: string): string {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?$/.exec(text);
  return match ? `${match[1]}${match[2] ?? ':00'}Z` : text;
}
