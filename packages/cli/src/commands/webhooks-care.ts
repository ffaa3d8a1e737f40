import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import { answer, serviceCommand } from '../context.ts';
import type { Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { deliveryLine, openWebhook, WEBHOOK, webhookLine } from '../find-webhook.ts';
import type { ServiceOptions } from '../session.ts';

/** `svc webhooks ping` */
export const pingCommand = (context: Context): Command =>
  serviceCommand('ping', 'send it a ping now, and say what came of it; ends a pause after failures', [
    'svc webhooks ping https://hooks.example.org/svc',
  ])
    .argument(...WEBHOOK)
    .addHelpText('after', `\nExit status ${EXIT.fail}: the receiver did not take it.`)
    .action(async (target: string, options: ServiceOptions) => {
      const { client, id } = await openWebhook(target, options, context);
      const { delivery } = (await client.call('pingWebhook', { params: { id } })).value;
      answer(context, options, { delivery }, [deliveryLine(delivery)]);
      if (delivery.state !== 'delivered') context.finish(EXIT.fail);
    });

/** `svc webhooks pause` */
export const pauseCommand = (context: Context): Command =>
  serviceCommand('pause', 'let nothing be sent to it until it is resumed: what happens waits', [
    'svc webhooks pause https://hooks.example.org/svc',
  ])
    .argument(...WEBHOOK)
    .action(async (target: string, options: ServiceOptions) => {
      const { client, id } = await openWebhook(target, options, context);
      const { webhook } = (await client.call('pauseWebhook', { params: { id } })).value;
      answer(context, options, { webhook }, [webhookLine(webhook)]);
    });

/** `svc webhooks resume` */
export const resumeCommand = (context: Context): Command =>
  serviceCommand('resume', 'have what waited while it was paused sent, and what happens from now on', [
    'svc webhooks resume https://hooks.example.org/svc',
  ])
    .argument(...WEBHOOK)
    .action(async (target: string, options: ServiceOptions) => {
      const { client, id } = await openWebhook(target, options, context);
      const { webhook } = (await client.call('resumeWebhook', { params: { id } })).value;
      answer(context, options, { webhook }, [webhookLine(webhook)]);
    });

/** `svc webhooks redeliver` */
export const redeliverCommand = (context: Context): Command =>
  serviceCommand('redeliver', 'send an event of the log again', [
    'svc webhooks redeliver https://hooks.example.org/svc <event>',
  ])
    .argument(...WEBHOOK)
    .argument('<event>', 'its id, as svc webhooks deliveries shows it')
    .action(async (target: string, event: string, options: ServiceOptions) => {
      const { client, id } = await openWebhook(target, options, context);
      const params = { id, event_id: event };
      const { delivery } = (await client.call('redeliver', { params })).value;
      answer(context, options, { delivery }, [deliveryLine(delivery)]);
    });

/** `svc webhooks rotate` */
export const rotateCommand = (context: Context): Command =>
  serviceCommand('rotate', 'a new secret, printed this once; the old one signs beside it for a while', [
    'svc webhooks rotate https://hooks.example.org/svc',
    'svc webhooks rotate <id> --overlap 0        # the old one is known to somebody',
  ])
    .argument(...WEBHOOK)
    .option(
      '--overlap <hours>',
      'for how many hours older secrets sign beside it (default: the service’s)',
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

/** From 0. */
function hours(value: string): number {
  if (!/^\d{1,4}$/.test(value)) throw new InvalidArgumentError('It is not a number of hours.');
  return Number(value);
}
