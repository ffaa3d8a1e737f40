import type { Command } from 'commander';
import { typesOption } from '../choices.ts';
import { lines, serviceCommand } from '../context.ts';
import type { Context } from '../context.ts';
import { followEvents, lastCursor } from '../follow-events.ts';
import { inertJsonLine } from '../inert.ts';
import { openSession } from '../session.ts';
import type { ServiceOptions } from '../session.ts';
import { forward, localReceiver, makeSecret, secretBytes } from '../webhook-listen.ts';
import { askedFor } from './events.ts';

interface ListenOptions extends ServiceOptions {
  forward: string;
  cursor?: string;
  types?: string;
}

/**
 * `svc webhooks listen`: events are read with the account’s own key and posted here, signed as the service signs, so that a
 * receiver can be written on a machine that nobody reaches from outside.
 */
export function listenCommand(context: Context): Command {
  return serviceCommand(
    'listen',
    'forward what happens to a program on this machine, signed as webhooks are',
    [
      'svc webhooks listen --forward 3001',
      'svc webhooks listen --forward http://127.0.0.1:3001/hook --types etch.revealed',
    ],
  )
    .requiredOption('--forward <port|url>', 'a port, or a url, of this machine')
    .option('--cursor <cursor>', 'begin after this one: next_cursor of svc events (default: now)')
    .addOption(typesOption())
    .addHelpText(
      'after',
      `
No webhook is added and no public address is needed. Each event is sent once; what is refused is said, and not sent again.
The secret is SVC_WEBHOOK_SECRET, or a new one that is printed at the start.`,
    )
    .action(async (options: ListenOptions) => {
      const url = localReceiver(options.forward);
      const given = context.env['SVC_WEBHOOK_SECRET'] || undefined;
      const secret = given ?? makeSecret();
      const bytes = secretBytes(secret);
      const { client } = openSession(options, context.env);
      const from = options.cursor ?? (await lastCursor(client));
      context.note(
        lines(
          `forwarding what happens to your etches at ${client.origin} to ${url.href}; Ctrl-C ends it`,
          ...(given === undefined ? [`signed with ${secret}`] : []),
        ),
      );
      const isAsked = askedFor(options.types);
      for await (const { events } of followEvents(client, from, (words) => context.note(lines(words))))
        for (const event of events.filter(isAsked)) {
          const came = await forward(event, url, bytes);
          const { id, type } = event;
          context.out(
            options.json
              ? `${inertJsonLine({ event_id: id, type, ...(typeof came === 'number' ? { status: came } : { problem: came }) })}\n`
              : lines(`${String(came).padEnd(4)}  ${type.padEnd(16)}  ${id}`),
          );
        }
    });
}
