import type { Command } from 'commander';
import { typesOption } from '../choices.ts';
import { type Context, lines, serviceCommand } from '../context.ts';
import { followEvents, lastCursor } from '../follow-events.ts';
import { inertJsonLine } from '../inert.ts';
import { openSession, type ServiceOptions } from '../session.ts';
import { forward, localReceiver, makeSecret, secretBytes } from '../webhook-listen.ts';
import { isOfTypes } from './events.ts';

interface ListenOptions extends ServiceOptions {
  forward: string;
  cursor?: string;
  types?: string;
}

/** Needs no public address: it posts events to a local receiver and signs them as the service does. */
export function listenCommand(context: Context): Command {
  return serviceCommand('listen', 'forward events to a program on this machine, signed like a webhook', [
    'svc webhooks listen --forward 3001',
    'svc webhooks listen --forward http://127.0.0.1:3001/hook --types etch.revealed',
  ])
    .requiredOption('--forward <port|url>', 'a port or url of this machine')
    .option('--cursor <cursor>', 'start after this cursor: next_cursor of svc events (default: now)')
    .addOption(typesOption())
    .addHelpText(
      'after',
      `
This adds no webhook and needs no public address. Each event is sent once; a failed delivery is printed and not retried.
The secret is SVC_WEBHOOK_SECRET, or a new one, which is printed at the start.`,
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
          `forwarding events of your etches at ${client.origin} to ${url.href}; stop with Ctrl-C`,
          ...(given === undefined ? [`signed with ${secret}`] : []),
        ),
      );
      const isWanted = isOfTypes(options.types);
      for await (const { events } of followEvents(client, from, (words) => context.note(lines(words))))
        for (const event of events.filter(isWanted)) {
          const result = await forward(event, url, bytes);
          const { id, type } = event;
          context.out(
            options.json
              ? `${inertJsonLine({ event_id: id, type, ...(typeof result === 'number' ? { status: result } : { problem: result }) })}\n`
              : lines(`${String(result).padEnd(4)}  ${type.padEnd(16)}  ${id}`),
          );
        }
    });
}
