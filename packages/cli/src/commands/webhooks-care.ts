import { type Command, InvalidArgumentError } from 'commander';
import { answer, type Context, serviceCommand, type ServiceOptions } from '../context.ts';
import { EXIT } from '../exit.ts';
import { deliveryLine, openWebhook, WEBHOOK, webhookLine } from '../find-webhook.ts';

export const pingCommand = (context: Context): Command =>
  serviceCommand('ping', 'send a ping now and print the result; a success ends a pause after failures', [
    'svc webhooks ping https://hooks.example.org/svc',
  ])
    .argument(...WEBHOOK)
    .addHelpText('after', `\nExit status ${EXIT.fail}: the receiver did not accept the ping.`)
    .action(async (target: string, options: ServiceOptions) => {
      const { client, id } = await openWebhook(target, options, context);
      const { delivery } = (await client.call('pingWebhook', { params: { id } })).value;
      answer(context, options, { delivery }, [deliveryLine(delivery)]);
      if (delivery.state !== 'delivered') context.finish(EXIT.fail);
    });

export const pauseCommand = (context: Context): Command =>
  serviceCommand('pause', 'stop sending until the webhook is resumed; new events wait', [
    'svc webhooks pause https://hooks.example.org/svc',
  ])
    .argument(...WEBHOOK)
    .action(async (target: string, options: ServiceOptions) => {
      const { client, id } = await openWebhook(target, options, context);
      const { webhook } = (await client.call('pauseWebhook', { params: { id } })).value;
      answer(context, options, { webhook }, [webhookLine(webhook)]);
    });

export const resumeCommand = (context: Context): Command =>
  serviceCommand('resume', 'send the events that waited, and all new ones', [
    'svc webhooks resume https://hooks.example.org/svc',
  ])
    .argument(...WEBHOOK)
    .action(async (target: string, options: ServiceOptions) => {
      const { client, id } = await openWebhook(target, options, context);
      const { webhook } = (await client.call('resumeWebhook', { params: { id } })).value;
      answer(context, options, { webhook }, [webhookLine(webhook)]);
    });

export const redeliverCommand = (context: Context): Command =>
  serviceCommand('redeliver', 'send an event of the log again', [
    'svc webhooks redeliver https://hooks.example.org/svc <event>',
  ])
    .argument(...WEBHOOK)
    .argument('<event>', 'the event’s id from svc webhooks deliveries')
    .action(async (target: string, event: string, options: ServiceOptions) => {
      const { client, id } = await openWebhook(target, options, context);
      const params = { id, event_id: event };
      const { delivery } = (await client.call('redeliver', { params })).value;
      answer(context, options, { delivery }, [deliveryLine(delivery)]);
    });

export const rotateCommand = (context: Context): Command =>
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
      const { client, id } = await openWebhook(target, options, context);
      const { overlap } = options;
      const made = (
        await client.call('rotateWebhookSecret', {
          params: { id },
          ...(overlap === undefined ? {} : { query: { overlap_hours: overlap } }),
        })
      ).value;
      answer(context, options, made, [webhookLine(made.webhook), `secret  ${made.secret}`]);
    });

function hours(value: string): number {
  if (!/^\d{1,4}$/.test(value)) throw new InvalidArgumentError('It is not a whole number of hours from 0.');
  return Number(value);
}
