import type { PublicFields } from '@svc/protocol';
import { ApiError, publicFieldsOf, ConnectionError, createClient, MisfitError } from '@svc/sdk';
import type { Client, ServiceFacts } from '@svc/sdk';
import { CommandError, EXIT } from './exit.ts';
import { whyNoAnswer } from './no-answer.ts';

/**
 * A client without credentials: a receipt can name any service, and that service must not receive the reader's key. It returns answers
 * unchecked, because the caller turns contradictions into a verdict.
 */
export const strangerAt = (origin: string): Client =>
  createClient({ baseUrl: origin, retry: { attempts: 2 }, checkAnswers: false });

/** The service info at `/.well-known/svc.json`; null when the service does not answer or the document is malformed. */
export async function factsAt(origin: string): Promise<ServiceFacts | null> {
  try {
    return await strangerAt(origin).facts();
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConnectionError) return null;
    throw error;
  }
}

/**
 * Like `factsAt`, but fails when the service cannot be reached. An audit retries requests for half an hour, so it checks first that a
 * service answers at all.
 * @throws ConnectionError when no service answers
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

/** Adds the URL to an error. An unreachable or overloaded service has another exit status than a missing etch. @returns what to throw */
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
      ? `${url} answers in an unknown format (status ${error.status}); check that the url is that of a service`
      : `${url} answers status ${error.status}: ${error.message}`,
  );
}
