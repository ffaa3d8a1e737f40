import { type Context, printableJsonLine, lines, say } from '../context.ts';
import { ApiError, type Client, ConnectionError, type Event, type SuccessOf } from '@svc/sdk';
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
    const each = (event: Event) =>
      context.out(options.json ? `${printableJsonLine(event)}\n` : lines(eventLine(event)));
    await followEvents(client, options, context, { begin, each });
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

interface Following {
  begin: () => void;
  each: (event: Event) => void | Promise<void>;
  /** Receives each cursor whose earlier events `each` has received. */
  keep?: (cursor: string) => void;
}

/** New events of these types, from a cursor or from now on; with `once`, only those that exist now. */
export async function followEvents(
  client: Client,
  { cursor, types, once = false }: { cursor?: string | undefined; types?: string; once?: boolean },
  context: Context,
  { begin, each, keep }: Following,
): Promise<void> {
  const isWanted = isOfTypes(types);
  let from = cursor ?? '';
  if (cursor === undefined)
    for await (const { page } of readEvents(client, undefined)) from = page.next_cursor;
  begin();
  keep?.(from);
  // Pages of one event, so that a cursor exists after each event.
  const pageSize = keep === undefined ? 100 : 1;
  for await (const { events, page } of follow(client, { from, pageSize, once }, context)) {
    for (const event of events) if (isWanted(event)) await each(event);
    if (page.next_cursor !== from) keep?.((from = page.next_cursor));
  }
}

const readEvents = (client: Client, cursor: string | undefined, limit = 100) =>
  client.events({ limit, cursor }).pages();

/** Unless `once`, retries while the service is unavailable. Misses no event. */
async function* follow(
  client: Client,
  { from, pageSize, once }: { from: string; pageSize: number; once: boolean },
  context: Context,
): AsyncGenerator<SuccessOf<'listEvents'>> {
  let cursor = from;
  for (let isAway = false; ;) {
    try {
      for await (const found of readEvents(client, cursor, pageSize)) {
        if (isAway) say(context, 'the service answers again');
        isAway = false;
        cursor = found.page.next_cursor;
        yield found;
      }
      if (once) return;
    } catch (error) {
      if (once || !isPassing(error)) throw error;
      if (!isAway) say(context, `${error.message}; retrying`);
      isAway = true;
    }
    await sleep(EVERY_MS);
  }
}

const isPassing = (error: unknown): error is Error =>
  error instanceof ConnectionError ||
  (error instanceof ApiError && (error.status >= 500 || error.code === 'rate_limited'));
