import type { Client, Delivery, Webhook } from '@svc/sdk';
import { Command } from 'commander';
import { count, httpUrl, typesOption } from '../options.ts';
import { answer, answerList, type Context, serviceCommand, type ServiceOptions } from '../context.ts';
import { deliveryLine, openWebhook, WEBHOOK, webhookLine } from '../find-webhook.ts';
import { openSession } from '../session.ts';
import {
  pauseCommand,
  pingCommand,
  redeliverCommand,
  resumeCommand,
  rotateCommand,
} from './webhooks-care.ts';
import { listenCommand } from './webhooks-listen.ts';

export function webhooksCommand(context: Context): Command {
  const webhooks = new Command('webhooks').description('manage webhooks, which send events to a url');
  for (const make of [
    list,
    add,
    remove,
    deliveries,
    pingCommand,
    pauseCommand,
    resumeCommand,
    redeliverCommand,
    rotateCommand,
    listenCommand,
  ])
    webhooks.addCommand(make(context));
  return webhooks;
}

const list = (context: Context): Command =>
  serviceCommand('list', 'list the account’s webhooks', ['svc webhooks list']).action(
    async (options: ServiceOptions) => {
      const { client } = openSession(options, context.env);
      const { webhooks } = (await client.call('listWebhooks', {})).value;
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
      const { client } = openSession(options, context.env);
      const types = options.types?.split(',') as Webhook['types'] | undefined;
      const made = (await client.call('createWebhook', { body: { url, ...(types && { types }) } })).value;
      answer(context, options, made, [webhookLine(made.webhook), `secret  ${made.secret}`]);
    });

const remove = (context: Context): Command =>
  serviceCommand('remove', 'remove a webhook and its log, and stop sending', [
    'svc webhooks remove https://hooks.example.org/svc',
  ])
    .argument(...WEBHOOK)
    .action(async (target: string, options: ServiceOptions) => {
      const { client, id } = await openWebhook(target, options, context);
      const { webhook } = (await client.call('deleteWebhook', { params: { id } })).value;
      answer(context, options, { webhook }, [`removed ${webhook.url}`]);
    });

const deliveries = (context: Context): Command =>
  serviceCommand('deliveries', 'list sent and waiting deliveries, newest first', [
    'svc webhooks deliveries https://hooks.example.org/svc',
    'svc webhooks deliveries <id> --max 100 --json',
  ])
    .argument(...WEBHOOK)
    .option('--max <number>', 'show at most this many', count, 30)
    .action(async (target: string, options: ServiceOptions & { max: number }) => {
      const { client, id } = await openWebhook(target, options, context);
      const found: Delivery[] = [];
      for await (const delivery of deliveriesOf(client, id)) {
        found.push(delivery);
        if (found.length >= options.max) break;
      }
      answerList(
        context,
        options,
        { deliveries: found },
        found.map(deliveryLine),
        'There are no deliveries yet.',
      );
    });

async function* deliveriesOf(client: Client, id: string): AsyncGenerator<Delivery, void, undefined> {
  for (let cursor: string | undefined; ;) {
    const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const answered: Deliveries = (await client.call('listDeliveries', { params: { id }, query })).value;
    yield* answered.deliveries;
    if (!answered.page.has_more || answered.page.next_cursor === null) return;
    cursor = answered.page.next_cursor;
  }
}

interface Deliveries {
  deliveries: readonly Delivery[];
  page: { has_more: boolean; next_cursor: string | null };
}
