import type { PublicFields } from '@svc/protocol';
import { ApiError, publicFieldsOf, ConnectionError, createClient, MisfitError } from '@svc/sdk';
import type { Client, ServiceFacts } from '@svc/sdk';
import { CommandError, EXIT } from './exit.ts';
import { whyNoAnswer } from './no-answer.ts';

/**
 * A service as a stranger asks it: nothing of the reader's account is shown to whoever a receipt names. Its answers are unchecked, because
 * what speaks against them becomes a verdict.
 */
export const strangerAt = (origin: string): Client =>
  createClient({ baseUrl: origin, retry: { attempts: 2 }, checkAnswers: false });

/** What a service publishes of itself; null when it does not answer, or not so. */
export async function factsAt(origin: string): Promise<ServiceFacts | null> {
  try {
    return await strangerAt(origin).facts();
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConnectionError) return null;
    throw error;
  }
}

/**
 * The same before work that is patient with a service for half an hour: there must be somebody to be patient with.
 * @throws ConnectionError when nobody answers
 */
export async function factsAtFirst(origin: string): Promise<ServiceFacts | null> {
  try {
    return await strangerAt(origin).facts();
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** The public fields of an etch as a service shows them now; undefined when it does not answer. */
export async function publicFieldsAt(origin: string, id: string): Promise<PublicFields | undefined> {
  try {
    return publicFieldsOf(await strangerAt(origin).getEtch(id));
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConnectionError) return undefined;
    throw error;
  }
}

/** Names the url that could not be read. A service that is unreachable or overloaded is not the same as a missing etch. @returns what to throw */
export function unreadable(error: unknown, url: string): unknown {
  if (error instanceof ConnectionError) {
    const why = whyNoAnswer(error) ?? (error.message.startsWith('no answer') ? error.message : undefined);
    return new CommandError(
      EXIT.unavailable,
      `${url} cannot be reached${why === undefined ? '' : `: ${why}`}`,
    );
  }
  if (!(error instanceof ApiError) || error instanceof MisfitError) return error;
  const isAway = error.status >= 500 || error.code === 'rate_limited';
  return new CommandError(
    isAway ? EXIT.unavailable : EXIT.input,
    error.code === 'unexpected'
      ? `${url} does not answer what was asked for (status ${error.status})`
      : `${url} answers status ${error.status}: ${error.message}`,
  );
}
