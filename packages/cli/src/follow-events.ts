import { setTimeout as sleep } from 'node:timers/promises';
import { ApiError, ConnectionError } from '@svc/sdk';
import type { Client, Event } from '@svc/sdk';

const PAGE = 100;
/** A key has 60 requests a minute: looking this often leaves it most of them. */
const EVERY_MS = 3_000;

export interface EventPortion {
  events: readonly Event[];
  /** where to go on */
  cursor: string;
}

/** Events after a cursor, or from the oldest that is kept, a page at a time, up to now. */
export async function* readEvents(
  client: Client,
  cursor: string | undefined,
): AsyncGenerator<EventPortion, void, undefined> {
  for (let next = cursor; ;) {
    const query = { limit: PAGE, ...(next === undefined ? {} : { cursor: next }) };
    const { events, page } = (await client.call('listEvents', { query })).value;
    yield { events, cursor: page.next_cursor };
    if (!page.has_more || page.next_cursor === next) return;
    next = page.next_cursor;
  }
}

/** Where what has happened so far ends. */
export async function lastCursor(client: Client): Promise<string> {
  let last = '';
  for await (const { cursor } of readEvents(client, undefined)) last = cursor;
  return last;
}

/**
 * Events as they happen, without end. A service that is away for a while is waited for: its list misses nothing.
 * @param trouble is told once why nothing comes, and once that it goes on
 * @throws {ApiError} when the service refuses
 */
export async function* followEvents(
  client: Client,
  from: string,
  trouble: (words: string) => void,
  everyMs = EVERY_MS,
): AsyncGenerator<EventPortion, never, undefined> {
  let cursor = from;
  for (let isAway = false; ;) {
    try {
      for await (const portion of readEvents(client, cursor)) {
        if (isAway) trouble('the service answers again');
        isAway = false;
        cursor = portion.cursor;
        if (portion.events.length > 0) yield portion;
      }
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (!isAway) trouble(`${error.message}; asking on`);
      isAway = true;
    }
    await sleep(everyMs);
  }
}

const isPassing = (error: unknown): error is Error =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.status >= 500 || error.code === 'rate_limited'));
