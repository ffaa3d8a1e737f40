import { isUuid } from '@svc/protocol';
import type { Client, Delivery, Webhook } from '@svc/sdk';
import type { Context, ServiceOptions } from './context.ts';
import { inputError, usageError } from './exit.ts';
import { openSession } from './session.ts';

export const WEBHOOK = ['<webhook>', 'its id or its url'] as const;

export async function openWebhook(
  target: string,
  options: ServiceOptions,
  context: Context,
): Promise<{ client: Client; id: string }> {
  const { client } = openSession(options, context.env);
  const isId: boolean = isUuid(target);
  if (isId) return { client, id: target.toLowerCase() };
  const { webhooks } = (await client.call('listWebhooks', {})).value;
  const url = URL.canParse(target) ? new URL(target).href : target;
  const [found, another] = webhooks.filter((webhook) => webhook.url === url);
  if (found === undefined) throw inputError(`the account has no webhook ${target}`);
  if (another !== undefined)
    throw usageError('several webhooks have this url: name its id (svc webhooks list)');
  return { client, id: found.id };
}

export function webhookLine(webhook: Webhook): string {
  const { id, url, types, disabled_at: disabled, disabled_reason: reason, failing_since: failing } = webhook;
  const { paused_at: paused } = webhook;
  const state =
    disabled !== null
      ? `disabled: ${reason ?? disabled}`
      : failing !== null
        ? `fails since ${failing}`
        : 'ok';
  const waits = paused === null ? '' : `, paused since ${paused}`;
  return `${id}  ${url}  ${types.join(',')}  ${state}${waits}`;
}

export function deliveryLine({
  event_id: id,
  type,
  state,
  attempts,
  last_status: status,
  ...times
}: Delivery): string {
  const what = times.problem ?? (status === null ? '' : String(status));
  const next = times.next_attempt_at === null ? '' : `again at ${times.next_attempt_at}`;
  return [times.created_at, id, type.padEnd(16), state.padEnd(9), `${attempts}×`, what, next]
    .join('  ')
    .trimEnd();
}
