import type { Event } from '@svc/sdk';
import type { Command } from 'commander';
import { typesOption } from '../choices.ts';
import { answerList, lines, serviceCommand } from '../context.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT } from '../exit.ts';
import { followEvents, lastCursor, readEvents } from '../follow-events.ts';
import { inertJsonLine } from '../inert.ts';
import { openSession } from '../session.ts';
import type { ServiceOptions } from '../session.ts';

interface EventsOptions extends ServiceOptions {
  follow: boolean;
  cursor?: string;
  types?: string;
  field?: string;
}

/** `svc events` */
export function eventsCommand(context: Context): Command {
  return serviceCommand('events', 'what happened to your etches and challenges', [
    'svc events --types etch.anchored,etch.revealed',
    'svc events --follow',
    'svc events --follow --json | while read -r event; do echo "$event"; done',
  ])
    .option(
      '--follow',
      'go on with what happens from now on, without end; with --json one event a line',
      false,
    )
    .option('--cursor <cursor>', 'go on after this one: next_cursor of an earlier answer')
    .addOption(typesOption())
    .action(async (options: EventsOptions) => {
      const { client } = openSession(options, context.env);
      const isAsked = askedFor(options.types);
      if (!options.follow) {
        const events: Event[] = [];
        let next = options.cursor ?? '';
        for await (const portion of readEvents(client, options.cursor)) {
          events.push(...portion.events.filter(isAsked));
          next = portion.cursor;
        }
        return answerList(
          context,
          options,
          { events, next_cursor: next },
          events.map(eventLine),
          'Nothing happened yet.',
        );
      }
      if (options.field !== undefined)
        throw new CommandError(
          EXIT.usage,
          '--follow has no end, so --field has nothing to be of: use --json',
        );
      const from = options.cursor ?? (await lastCursor(client));
      context.note(lines(`following what happens to your etches at ${client.origin}; Ctrl-C ends it`));
      for await (const { events } of followEvents(client, from, (words) => context.note(lines(words))))
        for (const event of events.filter(isAsked))
          context.out(options.json ? `${inertJsonLine(event)}\n` : lines(eventLine(event)));
    });
}

/** Is an event of the types that were asked for? */
export function askedFor(types: string | undefined): (event: Event) => boolean {
  const asked = types?.split(',');
  return ({ type }) => asked?.includes(type) ?? true;
}

/** One event in one line. */
function eventLine({ timestamp, type, data }: Event): string {
  const about =
    'etch' in data
      ? `${data.etch.code}  ${data.etch.description}`
      : `${data.challenge.url}  ${data.challenge.question}`;
  return `${timestamp}  ${type.padEnd(16)}  ${about}`;
}
