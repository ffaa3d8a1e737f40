import { command, group, otherwise, read } from '../command.ts';
import { count, EVENT_TYPES_LISTED, hours, httpUrl, SERVICE, type ServiceOptions } from '../options.ts';
import { isUuid } from '@svc/protocol';
import type { Client, Delivery, Webhook } from '@svc/sdk';
import { takeUpTo } from '../service-requests.ts';
import type { Context, Shown } from '../context.ts';
import { EXIT, inputError, usageError } from '../exit.ts';
import { clientOf } from '../session.ts';
import { forward } from './webhooks-forward.ts';
import { listen } from './webhooks-listen.ts';

const list = command('list', 'list the account’s webhooks', {
  input: SERVICE,
  examples: ['svc webhooks list'],
  async run(options, context) {
    const webhooks = await clientOf(options, context).webhooks.list();
    const words = webhooks.map(webhookLine);
    return { value: { webhooks }, words, none: 'This account has no webhooks.' };
  },
});

const add = command('add', 'add a webhook and print its secret; the secret is shown only once', {
  input: {
    ...SERVICE,
    '<url>': read(httpUrl, 'the receiver: https, with a public host name'),
    ...EVENT_TYPES_LISTED,
  },
  examples: [
    'svc webhooks add https://hooks.example.org/svc',
    'svc webhooks add https://hooks.example.org/svc --types etch.anchored --field secret',
  ],
  async run({ url, ...options }, context) {
    const types = options.types?.split(',') as Webhook['types'] | undefined;
    const made = await clientOf(options, context).webhooks.create({ url, ...(types && { types }) });
    return secretShown(made);
  },
});

const WEBHOOK = { ...SERVICE, '<webhook>': 'its id or its url' };

const changing = (
  name: 'remove' | 'pause' | 'resume',
  about: string,
  line: (webhook: Webhook) => string = webhookLine,
) =>
  command(name, about, {
    input: WEBHOOK,
    examples: [`svc webhooks ${name} https://hooks.example.org/svc`],
    async run(options, context) {
      const { webhooks, id } = await openWebhook(options, context);
      const webhook = await webhooks[name](id);
      return { value: { webhook }, words: [line(webhook)] };
    },
  });

const remove = changing(
  'remove',
  'remove a webhook and its log, and stop sending',
  ({ url }) => `removed ${url}`,
);
const pause = changing('pause', 'stop sending until the webhook is resumed; new events wait');
const resume = changing('resume', 'send the events that waited, and all new ones');

const deliveries = command('deliveries', 'list sent and waiting deliveries, newest first', {
  input: { ...WEBHOOK, '--max <number>': otherwise(30, read(count, 'show at most this many')) },
  examples: [
    'svc webhooks deliveries https://hooks.example.org/svc',
    'svc webhooks deliveries <id> --max 100 --json',
  ],
  async run(options, context) {
    const { webhooks, id } = await openWebhook(options, context);
    const found = await takeUpTo(webhooks.deliveries(id, { limit: 100 }), options.max);
    const words = found.map(deliveryLine);
    return { value: { deliveries: found }, words, none: 'There are no deliveries yet.' };
  },
});

const ping = command('ping', 'send a ping now and print the result; a success ends a pause after failures', {
  input: WEBHOOK,
  examples: ['svc webhooks ping https://hooks.example.org/svc'],
  below: `\nExit status ${EXIT.fail}: the receiver did not accept the ping.`,
  async run(options, context) {
    const { webhooks, id } = await openWebhook(options, context);
    const delivery = await webhooks.ping(id);
    const status = delivery.state === 'delivered' ? EXIT.pass : EXIT.fail;
    return { value: { delivery }, words: [deliveryLine(delivery)], status };
  },
});

const redeliver = command('redeliver', 'send an event of the log again', {
  input: { ...WEBHOOK, '<event>': 'the event’s id from svc webhooks deliveries' },
  examples: ['svc webhooks redeliver https://hooks.example.org/svc <event>'],
  async run({ event, ...options }, context) {
    const { webhooks, id } = await openWebhook(options, context);
    const delivery = await webhooks.redeliver(id, event);
    return { value: { delivery }, words: [deliveryLine(delivery)] };
  },
});

const rotate = command('rotate', 'print a new secret once; the old secret also signs for some hours', {
  input: {
    ...WEBHOOK,
    '--overlap <hours>': read(hours, 'how many hours older secrets still sign too (default: the service’s)'),
  },
  examples: [
    'svc webhooks rotate https://hooks.example.org/svc',
    'svc webhooks rotate <id> --overlap 0        # the old secret has leaked',
  ],
  async run({ overlap: overlapHours, ...options }, context) {
    const { webhooks, id } = await openWebhook(options, context);
    return secretShown(await webhooks.rotateSecret(id, { overlapHours }));
  },
});

export const webhooksCommand = group('webhooks', 'manage webhooks, which send events to a url', [
  list,
  add,
  remove,
  deliveries,
  ping,
  pause,
  resume,
  redeliver,
  rotate,
  forward,
  listen,
]);

const secretShown = (value: { webhook: Webhook; secret: string }): Shown => ({
  value,
  words: [webhookLine(value.webhook), `secret  ${value.secret}`],
});

async function openWebhook(
  { webhook: target, ...options }: ServiceOptions & { webhook: string },
  context: Context,
): Promise<{ webhooks: Client['webhooks']; id: string }> {
  const { webhooks } = clientOf(options, context);
  const isId: boolean = isUuid(target);
  if (isId) return { webhooks, id: target.toLowerCase() };
  const url = URL.canParse(target) ? new URL(target).href : target;
  const [found, another] = (await webhooks.list()).filter((webhook) => webhook.url === url);
  if (found === undefined) throw inputError(`the account has no webhook ${target}`);
  if (another !== undefined)
    throw usageError('several webhooks have this url: name its id (svc webhooks list)');
  return { webhooks, id: found.id };
}

function webhookLine({
  id,
  url,
  types,
  disabled_at,
  disabled_reason,
  failing_since,
  paused_at,
}: Webhook): string {
  const failing = failing_since === null ? 'ok' : `fails since ${failing_since}`;
  const state = disabled_at === null ? failing : `disabled: ${disabled_reason ?? disabled_at}`;
  const waits = paused_at === null ? '' : `, paused since ${paused_at}`;
  return `${id}  ${url}  ${types.join(',')}  ${state}${waits}`;
}

function deliveryLine({
  event_id: id,
  type,
  state,
  attempts,
  last_status: status,
  ...more
}: Delivery): string {
  const what = more.problem ?? (status === null ? '' : String(status));
  const next = more.next_attempt_at === null ? '' : `again at ${more.next_attempt_at}`;
  return [more.created_at, id, type.padEnd(16), state.padEnd(9), `${attempts}×`, what, next]
    .join('  ')
    .trimEnd();
}
