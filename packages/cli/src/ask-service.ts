import type { PublicFields } from '@svc/protocol';
import { ApiError, ConnectionError, createClient, MisfitError, publicFieldsOf } from '@svc/sdk';
import type { Client, ServiceFacts } from '@svc/sdk';
import { awayError, CommandError, EXIT } from './exit.ts';
import { whyNoAnswer } from './report-error.ts';

/**
 * A receipt can name any service, which must not receive the reader's key. The caller turns contradictory answers
 * into a verdict.
 */
export const strangerAt = (origin: string): Client =>
  createClient({ baseUrl: origin, retry: { attempts: 2 }, checkAnswers: false });

export async function factsAt(origin: string): Promise<ServiceFacts | null> {
  try {
    return await strangerAt(origin).facts();
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConnectionError) return null;
    throw error;
  }
}

/** An audit retries for half an hour, so it checks first that a service answers. @throws ConnectionError */
export async function factsAtFirst(origin: string): Promise<ServiceFacts | null> {
  try {
    return await strangerAt(origin).facts();
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

export async function publicFieldsAt(origin: string, id: string): Promise<PublicFields | undefined> {
  try {
    return publicFieldsOf(await strangerAt(origin).getEtch(id));
  } catch (error) {
    if (error instanceof ApiError || error instanceof ConnectionError) return undefined;
    throw error;
  }
}

export function unreadable(error: unknown, url: string): unknown {
  if (error instanceof ConnectionError) {
    const why = whyNoAnswer(error) ?? (error.message.startsWith('no answer') ? error.message : undefined);
    return awayError(`${url} cannot be reached${why === undefined ? '' : `: ${why}`}`);
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
