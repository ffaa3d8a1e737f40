import { ApiError, ConnectionError, createClient, MisfitError } from '@svc/sdk';
import type { Client, Etch, ServiceFacts } from '@svc/sdk';
import { awayError, CommandError, EXIT } from './exit.ts';
import { guardedFetch } from './public-fetch.ts';
import { whyNoAnswer } from './report-error.ts';

/**
 * A receipt can name any service, which must not receive the reader's key. The caller turns contradictory answers
 * into a verdict.
 */
export const clientWithoutKey = (origin: string): Client => clientAt(origin, origin);

/** @param named the service that the reader named; null: only a receipt names it */
const clientAt = (origin: string, named: string | null): Client =>
  createClient({
    baseUrl: origin,
    retry: { attempts: 2 },
    checkAnswers: false,
    fetch: guardedFetch(named),
  });

type FailureClass = typeof ApiError | typeof ConnectionError | typeof TypeError;

/** @returns the other value when the service rejects the request, or does not answer */
export const orFallback = <T, Other>(
  request: Promise<T>,
  other: Other,
  failures: FailureClass[] = [ApiError, ConnectionError],
): Promise<T | Other> =>
  request.catch((error: unknown) => {
    if (failures.some((kind) => error instanceof kind)) return other;
    throw error;
  });

/** @param isNamed by the reader, not only by a receipt */
export const serviceFactsAt = (origin: string, isNamed = true): Promise<ServiceFacts | null> =>
  orFallback(clientAt(origin, isNamed ? origin : null).facts(), null);

/** An audit retries for half an hour, so it checks first that a service answers. @throws ConnectionError */
export const requireServiceAt = (origin: string): Promise<ServiceFacts | null> =>
  orFallback(clientWithoutKey(origin).facts(), null, [ApiError]);

export const publicEtchAt = (origin: string, id: string): Promise<Etch | undefined> =>
  orFallback(clientWithoutKey(origin).getEtch(id), undefined);

export function readErrorOf(error: unknown, url: string): unknown {
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

export async function takeUpTo<Item>(list: AsyncIterable<Item>, max: number): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) {
    items.push(item);
    if (items.length >= max) break;
  }
  return items;
}
