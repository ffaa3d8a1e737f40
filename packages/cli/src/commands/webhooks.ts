import { count, hours, httpUrl, typesOption } from '../options.ts';
import { isUuid } from '@svc/protocol';
import type { Client, Delivery, Webhook } from '@svc/sdk';
import { Command } from 'commander';
import { take } from '../ask-service.ts';
import { answer, answerList, type Context, serviceCommand, type ServiceOptions } from '../context.ts';
import { EXIT, inputError, usageError } from '../exit.ts';
import { openSession } from '../session.ts';
import { listenCommand } from './webhooks-listen.ts';

export function webhooksCommand(context: Context): Command {
  const webhooks = new Command('webhooks').description('manage webhooks, which send events to a url');
  const care = [ping, pause, resume, redeliver, rotate, listenCommand];
  for (const make of [list, add, remove, deliveries, ...care]) webhooks.addCommand(make(context));
  return webhooks;
}

const list = (context: Context): Command =>
  serviceCommand('list', 'list the account’s webhooks', ['svc webhooks list']).action(
    async (options: ServiceOptions) => {
      const webhooks = await openSession(options, context.env).client.webhooks.list();
      answerList(context, options, { webhooks }, webhooks.map(webhookLine), 'This account has no webhooks.');
    },
  );

const add = (context: Context): Command =>
  serviceCommand('add', 'add a webhook and print its secret; the secret is shown only once', [
    'svc webhooks add https://hooks.example.org/svc',
    'svc webhooks add https://hooks.example.org/svc --types etch.anchored --field secret',
  ])
    .argument('<url>', 'the receiver: https, with a public host name', httpUrl)
    .addOption(typesOption())
    .action(async (url: string, options: ServiceOptions & { types?: string }) => {
      const types = options.types?.split(',') as Webhook['types'] | undefined;
      const { client } = openSession(options, context.env);
      const made = await client.webhooks.create({ url, ...(types && { types }) });
      answer(context, options, made, [webhookLine(made.webhook), `secret  ${made.secret}`]);
    });

const WEBHOOK = ['<webhook>', 'its id or its url'] as const;

const changing =
  (name: 'remove' | 'pause' | 'resume', description: string, words: (webhook: Webhook) => string) =>
  (context: Context): Command =>
    serviceCommand(name, description, [`svc webhooks ${name} https://hooks.example.org/svc`])
      .argument(...WEBHOOK)
      .action(async (target: string, options: ServiceOptions) => {
        const { webhooks, id } = await openWebhook(target, options, context);
        const webhook = await webhooks[name](id);
        answer(context, options, { webhook }, [words(webhook)]);
      });

const remove = changing(
  'remove',
  'remove a webhook and its log, and stop sending',
  ({ url }) => `removed ${url}`,
);
const pause = changing('pause', 'stop sending until the webhook is resumed; new events wait', webhookLine);
const resume = changing('resume', 'send the events that waited, and all new ones', webhookLine);

const deliveries = (context: Context): Command =>
  serviceCommand('deliveries', 'list sent and waiting deliveries, newest first', [
    'svc webhooks deliveries https://hooks.example.org/svc',
    'svc webhooks deliveries <id> --max 100 --json',
  ])
    .argument(...WEBHOOK)
    .option('--max <number>', 'show at most this many', count, 30)
    .action(async (target: string, options: ServiceOptions & { max: number }) => {
      const { webhooks, id } = await openWebhook(target, options, context);
      const found = await take(webhooks.deliveries(id, { limit: 100 }), options.max);
      const words = found.map(deliveryLine);
      answerList(context, options, { deliveries: found }, words, 'There are no deliveries yet.');
    });

const ping = (context: Context): Command =>
  serviceCommand('ping', 'send a ping now and print the result; a success ends a pause after failures', [
    'svc webhooks ping https://hooks.example.org/svc',
  ])
    .argument(...WEBHOOK)
    .addHelpText('after', `\nExit status ${EXIT.fail}: the receiver did not accept the ping.`)
    .action(async (target: string, options: ServiceOptions) => {
      const { webhooks, id } = await openWebhook(target, options, context);
      const delivery = await webhooks.ping(id);
      answer(context, options, { delivery }, [deliveryLine(delivery)]);
      if (delivery.state !== 'delivered') context.finish(EXIT.fail);
    });

const redeliver = (context: Context): Command =>
  serviceCommand('redeliver', 'send an event of the log again', [
    'svc webhooks redeliver https://hooks.example.org/svc <event>',
  ])
    .argument(...WEBHOOK)
    .argument('<event>', 'the event’s id from svc webhooks deliveries')
    .action(async (target: string, event: string, options: ServiceOptions) => {
      const { webhooks, id } = await openWebhook(target, options, context);
      const delivery = await webhooks.redeliver(id, event);
      answer(context, options, { delivery }, [deliveryLine(delivery)]);
    });

const rotate = (context: Context): Command =>
  serviceCommand('rotate', 'print a new secret once; the old secret also signs for some hours', [
    'svc webhooks rotate https://hooks.example.org/svc',
    'svc webhooks rotate <id> --overlap 0        # the old secret has leaked',
  ])
    .argument(...WEBHOOK)
    .option(
      '--overlap <hours>',
      'how many hours older secrets still sign too (default: the service’s)',
      hours,
    )
    .action(async (target: string, options: ServiceOptions & { overlap?: number }) => {
      const { webhooks, id } = await openWebhook(target, options, context);
      const made = await webhooks.rotateSecret(id, { overlapHours: options.overlap });
      answer(context, options, made, [webhookLine(made.webhook), `secret  ${made.secret}`]);
    });

async function openWebhook(
  target: string,
  options: ServiceOptions,
  context: Context,
): Promise<{ webhooks: Client['webhooks']; id: string }> {
  const { webhooks } = openSession(options, context.env).client;
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
