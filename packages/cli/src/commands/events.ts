import type { Event } from '@svc/sdk';
import type { Command } from 'commander';
import { typesOption } from '../choices.ts';
import { answerList, type Context, lines, serviceCommand } from '../context.ts';
import { usageError } from '../exit.ts';
import { followEvents, lastCursor, readEvents } from '../follow-events.ts';
import { inertJsonLine } from '../inert.ts';
import { openSession, type ServiceOptions } from '../session.ts';

interface EventsOptions extends ServiceOptions {
  follow: boolean;
  cursor?: string;
  types?: string;
  field?: string;
}

export function eventsCommand(context: Context): Command {
  return serviceCommand('events', 'list the events of your etches and challenges', [
    'svc events --types etch.anchored,etch.revealed',
    'svc events --follow',
    'svc events --follow --json | while read -r event; do echo "$event"; done',
  ])
    .option('--follow', 'print new events as they happen, without end; with --json one event a line', false)
    .option('--cursor <cursor>', 'start after this cursor: next_cursor of an earlier answer')
    .addOption(typesOption())
    .action(async (options: EventsOptions) => {
      const { client } = openSession(options, context.env);
      const isWanted = isOfTypes(options.types);
      if (!options.follow) {
        const events: Event[] = [];
        let next = options.cursor ?? '';
        for await (const page of readEvents(client, options.cursor)) {
          events.push(...page.events.filter(isWanted));
          next = page.cursor;
        }
        return answerList(
          context,
          options,
          { events, next_cursor: next },
          events.map(eventLine),
          'There are no events yet.',
        );
      }
      if (options.field !== undefined)
        throw usageError('--follow prints events without end, so it has no --field: use --json');
      const from = options.cursor ?? (await lastCursor(client));
      context.note(lines(`waiting for events of your etches at ${client.origin}; stop with Ctrl-C`));
      for await (const { events } of followEvents(client, from, (words) => context.note(lines(words))))
        for (const event of events.filter(isWanted))
          context.out(options.json ? `${inertJsonLine(event)}\n` : lines(eventLine(event)));
    });
}

export function isOfTypes(types: string | undefined): (event: Event) => boolean {
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
