import { type Context, printableJsonLine, lines, say } from '../context.ts';
import { ApiError, type Client, ConnectionError, type Event } from '@svc/sdk';
import { command, flag } from '../command.ts';
import { EVENT_TYPES_LISTED, SERVICE } from '../options.ts';
import { usageError } from '../exit.ts';
import { clientOf } from '../session.ts';
import { setTimeout as sleep } from 'node:timers/promises';

export const eventsCommand = command('events', 'list the events of your etches and challenges', {
  input: {
    ...SERVICE,
    '--follow': flag('print new events as they happen, without end; with --json one event a line'),
    '--cursor <cursor>': 'start after this cursor: next_cursor of an earlier answer',
    ...EVENT_TYPES_LISTED,
  },
  examples: [
    'svc events --types etch.anchored,etch.revealed',
    'svc events --follow',
    'svc events --follow --json | while read -r event; do echo "$event"; done',
  ],
  async run(options, context) {
    const client = clientOf(options, context);
    const isWanted = isOfTypes(options.types);
    if (!options.follow) {
      const events: Event[] = [];
      let next_cursor = options.cursor ?? '';
      for await (const found of readEvents(client, options.cursor)) {
        events.push(...found.events.filter(isWanted));
        next_cursor = found.page.next_cursor;
      }
      const words = events.map(eventLine);
      return { value: { events, next_cursor }, words, none: 'There are no events yet.' };
    }
    if ('field' in options)
      throw usageError('--follow prints events without end, so it has no --field: use --json');
    const begin = () =>
      say(context, `waiting for events of your etches at ${client.origin}; stop with Ctrl-C`);
    await followEvents(client, options, context, begin, (event) =>
      context.out(options.json ? `${printableJsonLine(event)}\n` : lines(eventLine(event))),
    );
  },
});

function isOfTypes(types: string | undefined): (event: Event) => boolean {
  const wanted = types?.split(',');
  return ({ type }) => wanted?.includes(type) ?? true;
}

function eventLine({ timestamp, type, data }: Event): string {
  const about =
    'etch' in data
      ? `${data.etch.code}  ${data.etch.description}`
      : `${data.challenge.url}  ${data.challenge.question}`;
  return `${timestamp}  ${type.padEnd(16)}  ${about}`;
}

/** 20 of the 60 requests a minute of a key. */
const EVERY_MS = 3_000;

const readEvents = (client: Client, cursor: string | undefined) =>
  client.events({ limit: 100, cursor }).pages();

/** New events of these types, from a cursor or from now on. */
export async function followEvents(
  client: Client,
  { cursor, types }: { cursor?: string; types?: string },
  context: Context,
  begin: () => void,
  each: (event: Event) => void | Promise<void>,
): Promise<void> {
  let from = cursor ?? '';
  if (cursor === undefined)
    for await (const { page } of readEvents(client, undefined)) from = page.next_cursor;
  begin();
  for await (const event of follow(client, from, (words) => say(context, words)))
    if (isOfTypes(types)(event)) await each(event);
}

/**
 * Retries while the service is unavailable and misses no event.
 * @param trouble receives a message when the service goes away, and one when it is back
 */
async function* follow(
  client: Client,
  from: string,
  trouble: (words: string) => void,
): AsyncGenerator<Event, never> {
  let cursor = from;
  for (let isAway = false; ;) {
    try {
      for await (const { events, page } of readEvents(client, cursor)) {
        if (isAway) trouble('the service answers again');
        isAway = false;
        cursor = page.next_cursor;
        yield* events;
      }
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (!isAway) trouble(`${error.message}; retrying`);
      isAway = true;
    }
    await sleep(EVERY_MS);
  }
}

const isPassing = (error: unknown): error is Error =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.status >= 500 || error.code === 'rate_limited'));
