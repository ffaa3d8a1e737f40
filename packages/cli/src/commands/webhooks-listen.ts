import { asIs, command, needed } from '../command.ts';
import { say } from '../context.ts';
import { EVENT_TYPES_LISTED, SERVICE } from '../options.ts';
import { followEvents } from './events.ts';
import { clientOf } from '../session.ts';
import { createHmac, randomBytes } from 'node:crypto';
import type { Event } from '@svc/sdk';
import { usageError } from '../exit.ts';
import { deliveryLine, type Reply, sendTo } from '../deliver.ts';

/** Needs no public address: it posts events to a local receiver and signs them as the service does. */
export const listen = command(
  'listen',
  'forward events to a program on this machine, signed like a webhook',
  {
    input: {
      ...SERVICE,
      '--forward <port|url>': needed(asIs, 'a port or url of this machine'),
      '--cursor <cursor>': 'start after this cursor: next_cursor of svc events (default: now)',
      ...EVENT_TYPES_LISTED,
    },
    examples: [
      'svc webhooks listen --forward 3001',
      'svc webhooks listen --forward http://127.0.0.1:3001/hook --types etch.revealed',
    ],
    below: `
This adds no webhook and needs no public address. Each event is sent once; a failed delivery is printed and not retried.
The secret is SVC_WEBHOOK_SECRET, or a new one, which is printed at the start.`,
    async run(options, context) {
      const url = localReceiver(options.forward);
      const given = context.env['SVC_WEBHOOK_SECRET'] || undefined;
      const secret = given ?? makeSecret();
      const bytes = secretBytes(secret);
      const client = clientOf(options, context);
      const begin = () =>
        say(
          context,
          `forwarding events of your etches at ${client.origin} to ${url.href}; stop with Ctrl-C`,
          ...(given === undefined ? [`signed with ${secret}`] : []),
        );
      const each = async (event: Event) =>
        context.out(deliveryLine(event, await forward(event, url, bytes), options.json));
      await followEvents(client, options, context, { begin, each });
    },
  },
);

/** Without a proxy: the receiver is on this machine. */
const fetchDirectly = globalThis.fetch;
const PREFIX = 'whsec_';

const makeSecret = (): string => PREFIX + randomBytes(32).toString('base64');

function secretBytes(secret: string): Buffer {
  const bytes = Buffer.from(secret.slice(PREFIX.length), 'base64');
  if (!secret.startsWith(PREFIX) || bytes.length < 16)
    throw usageError('SVC_WEBHOOK_SECRET is not a webhook secret: whsec_ and at least 16 bytes in base64');
  return bytes;
}

/** Events are private, so the receiver must be on this machine. */
function localReceiver(target: string): URL {
  const text = /^\d{1,5}$/.test(target) ? `http://127.0.0.1:${target}` : target;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHere = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url?.hostname ?? '');
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isHere)
    throw usageError(
      `${target} is not a port or url of this machine (3001, http://127.0.0.1:3001/hook); for another machine, use svc webhooks add`,
    );
  return url;
}

function signedHeaders(secret: Buffer, id: string, seconds: number, body: string): Record<string, string> {
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': `v1,${signature}`,
  };
}

const forward = (event: Event, url: URL, secret: Buffer): Promise<Reply> => {
  const body = JSON.stringify(event);
  const headers = signedHeaders(secret, event.id, Math.floor(Date.now() / 1000), body);
  return sendTo(url, { method: 'POST', body, headers }, fetchDirectly);
};
