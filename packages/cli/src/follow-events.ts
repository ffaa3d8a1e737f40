import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, type Client, ConnectionError, type Event } from '@svc/sdk';

const PAGE = 100;
/** 20 of the 60 requests a minute of a key. */
const EVERY_MS = 3_000;

export interface EventPage {
  events: readonly Event[];
  cursor: string;
}

export async function* readEvents(
  client: Client,
  cursor: string | undefined,
): AsyncGenerator<EventPage, void, undefined> {
  for (let next = cursor; ;) {
    const query = { limit: PAGE, ...(next === undefined ? {} : { cursor: next }) };
    const { events, page } = (await client.call('listEvents', { query })).value;
    yield { events, cursor: page.next_cursor };
    if (!page.has_more || page.next_cursor === next) return;
    next = page.next_cursor;
  }
}

export async function lastCursor(client: Client): Promise<string> {
  let last = '';
  for await (const { cursor } of readEvents(client, undefined)) last = cursor;
  return last;
}

/**
 * Retries while the service is unavailable and misses no event.
 * @param trouble receives a message when the service goes away, and one when it is back
 */
export async function* followEvents(
  client: Client,
  from: string,
  trouble: (words: string) => void,
  everyMs = EVERY_MS,
): AsyncGenerator<EventPage, never, undefined> {
  let cursor = from;
  for (let isAway = false; ;) {
    try {
      for await (const page of readEvents(client, cursor)) {
        if (isAway) trouble('the service answers again');
        isAway = false;
        cursor = page.cursor;
        if (page.events.length > 0) yield page;
      }
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (!isAway) trouble(`${error.message}; retrying`);
      isAway = true;
    }
    await sleep(everyMs);
  }
}

const isPassing = (error: unknown): error is Error =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.status >= 500 || error.code === 'rate_limited'));
