import type { FormProblem } from '@svc/web';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DatabaseUnavailable } from '../../../db/db.ts';
import { RateLimited } from '../../../platform/failure.ts';
import { answerFailure } from '../../errors.ts';
import { SignedOut } from '../session.ts';

export function formProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): FormProblem {
  const failure = answerFailure(error, request, reply);
  void reply.removeHeader('WWW-Authenticate');
  return {
    message: failure.message,
    details: failure.details,
    ...(failure instanceof RateLimited && { retryAfter: failure.retryAfter }),
    ...(error instanceof SignedOut && { signedOut: true }),
  };
}

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

/** Adds the zone that a date field lacks. */
export function utcOf(text: string): string {
  const match = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d(?:\.\d{1,3})?)?$/.exec(text);
  return match ? `${match[1]}${match[2] ?? ':00'}Z` : text;
}
