import { type Delivery, EVENT_TYPES, EVENTS, type Webhook } from '@svc/contract';
import type { ComponentChildren } from 'preact';
import { countText } from '@svc/web/format';
import {
  Button,
  Choices,
  Done,
  type FormProblem,
  LineEntry,
  PostForm,
  Submit,
  problemText,
} from '@svc/web/parts/form';
import { List } from '@svc/web/parts/lists';
import { prose, say } from '@svc/web/parts/prose';
import { atTime, safe, safeLink } from '@svc/web/parts/values';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ConfirmForm, OwnCards, ownAccountPage, ShownOnce } from './account-frame.tsx';
import {
  createWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  NO_WEBHOOK,
  ownWebhook,
  pauseWebhook,
  pingWebhook,
} from '../../../notify/webhooks/store.ts';
import type { Caller } from '../../../identity/caller.ts';
import { idOf } from '../../errors.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { shownOnce, siteFor } from '../site.ts';
import { type ById, checked, filled, type FormFields, formsOf, readForForm } from '../form.ts';
import { seeOther } from '../send.ts';
import { callerOf } from '../session.ts';

const AT = '/account/webhooks';
const LOG = 30;

export function mountWebhookPages(pages: FastifyInstance, deps: HttpDependencies): void {
  const { db, clock, keyring } = deps;
  const { enabled, perAccount } = deps.config.webhooks;
  if (!enabled) {
    pages.get(AT, async (request) => {
      callerOf(request);
      return webhooksPage(siteFor(deps, request), { off: true });
    });
    return;
  }
  const once = shownOnce<{ url: string; secret: string }>(keyring, deps.baseUrl, 'webhook');
  const idIn = (request: ById): string => idOf(request.params.id, NO_WEBHOOK);

  const show = async (request: FastifyRequest, more: Parameters<typeof webhooksPage>[1]) => {
    const webhooks = await readForForm(more.problem, () => listWebhooks(deps, callerOf(request)));
    return webhooksPage(siteFor(deps, request), { webhooks, ...more });
  };

  const showOne = async (request: ById, { problem }: { problem?: FormProblem }) => {
    const id = idIn(request);
    const webhook = await ownWebhook(deps, callerOf(request), id);
    const deliveries = (await listDeliveries(db, id, undefined, LOG)).map(({ delivery }) => delivery);
    return webhookPage(siteFor(deps, request), { webhook, deliveries, problem });
  };

  pages.get<{ Querystring: { done?: string } }>(AT, async (request, reply) => {
    const made = once.take(request, reply, callerOf(request).userId);
    return show(request, { made, removed: request.query.done === 'removed' });
  });

  const typesIn = (form: FormFields) => EVENT_TYPES.filter((type) => form[type] === 'on');
  const create = async (request: FastifyRequest, form: FormFields, reply: FastifyReply): Promise<string> => {
    const caller = callerOf(request);
    const asked = { ...filled(form, 'url'), types: typesIn(form) };
    const { url, types } = checked(request, 'createWebhook', asked);
    const body = { url, ...(types && { types }) };
    const { webhook, secret } = await createWebhook({ db, clock, keyring, most: perAccount }, caller, body);
    once.give(reply, caller.userId, { url: webhook.url, secret });
    return AT;
  };
  formsOf(pages, show)(AT, create, (form) => ({ typed: { url: form['url'] ?? '', types: typesIn(form) } }));

  pages.get(`${AT}/:id`, async (request: ById) => showOne(request, {}));

  for (const [path, act] of [
    ['ping', (caller, id) => pingWebhook(deps, caller, id)],
    ['pause', (caller, id) => pauseWebhook(deps, caller, { id, paused: true })],
    ['resume', (caller, id) => pauseWebhook(deps, caller, { id, paused: false })],
  ] satisfies [string, (caller: Caller, id: string) => Promise<unknown>][])
    formsOf(pages, showOne)(`${AT}/:id/${path}`, async (request) => {
      const id = idIn(request);
      await act(callerOf(request), id);
      return `${AT}/${id}`;
    });

  pages.get(`${AT}/:id/remove`, async (request: ById) => {
    const webhook = await ownWebhook(deps, callerOf(request), idIn(request));
    return removeWebhookPage(siteFor(deps, request), webhook);
  });

  pages.post(`${AT}/:id/remove`, async (request: ById, reply) => {
    await deleteWebhook(deps, callerOf(request), idIn(request));
    return seeOther(reply, `${AT}?done=removed`);
  });
}

interface WebhooksData {
  /** absent after the session ended, or if they cannot be read */
  webhooks?: readonly Webhook[] | undefined;
  off?: boolean;
  /** its secret is shown only this once */
  made?: { url: string; secret: string } | undefined;
  removed?: boolean;
  typed?: { url: string; types: readonly string[] } | undefined;
  problem?: FormProblem | undefined;
}

const HERE = '/account/webhooks';

const NAMES = {
  url: { subject: 'The address', missing: 'Say where events are sent' },
  types: { subject: 'The events', missing: 'Choose at least one event' },
};

export function webhooksPage(site: Site, data: WebhooksData): Page {
  const { webhooks, off, made, removed, typed } = data;
  return ownAccountPage(
    site,
    HERE,
    { title: 'Webhooks', problem: problemText(data.problem, NAMES), islands: ['copy.js'] },
    removed && <Done>The webhook is removed: nothing is sent to it any more.</Done>,
    made && (
      <ShownOnce title="The secret of your new webhook" value={made.secret} copy="secret">
        . With it, your program checks that what arrives at {safe(made.url)} is from this service.
      </ShownOnce>
    ),
    prose`
      A webhook sends what happens to your etches and challenges to an address of yours.
      [What we send, and how to check the signature](/docs/webhooks)
    `,
    off ? (
      <p class="empty">{say`Webhooks are off here. [The list of events](/docs) has the same events.`}</p>
    ) : (
      <>
        <OwnCards items={webhooks} empty="You have no webhook." heading="Your webhooks">
          {(webhook) => (
            <>
              <h3>{safeLink(`${HERE}/${webhook.id}`, webhook.url)}</h3>
              <p class="quiet">{stateText(webhook)}</p>
            </>
          )}
        </OwnCards>
        <section>
          <h2>Add a webhook</h2>
          <PostForm action={HERE} noValidate>
            <LineEntry
              name="url"
              label="Address"
              hint="Where events are sent: https, a public host name."
              value={typed?.url ?? ''}
              mono
            />
            <Choices name="types" legend="Send an event when" isNoted={false}>
              {EVENT_TYPES.map((type) => (
                <label class="mode">
                  <input type="checkbox" name={type} checked={typed?.types.includes(type) ?? true} />
                  <span>{EVENTS[type].label}</span>
                </label>
              ))}
            </Choices>
            <Submit>Add the webhook</Submit>
          </PostForm>
        </section>
      </>
    ),
  );
}

function stateText(webhook: Webhook): ComponentChildren {
  const { disabled_at: disabled, paused_at: paused, failing_since: failing } = webhook;
  if (disabled !== null) return say`Disabled on ${atTime(disabled)}: ${safe(webhook.disabled_reason ?? '')}`;
  if (paused !== null) return say`Paused since ${atTime(paused)}: what happens waits`;
  if (failing !== null) return say`Nothing has arrived since ${atTime(failing)}`;
  if (webhook.last_delivered_at === null) return 'No deliveries yet';
  return say`Works; last sent to it on ${atTime(webhook.last_delivered_at)}`;
}

interface WebhookData {
  webhook: Webhook;
  deliveries: readonly Delivery[];
  problem?: FormProblem | undefined;
}

export function webhookPage(site: Site, { webhook, deliveries, problem }: WebhookData): Page {
  const at = `${HERE}/${webhook.id}`;
  return ownAccountPage(
    site,
    HERE,
    { title: 'Webhook', problem: problemText(problem) },
    <article class="card">
      <h2>{safe(webhook.url)}</h2>
      <p class="quiet">{stateText(webhook)}</p>
      <p class="quiet">{webhook.types.map((type) => EVENTS[type].label).join(' · ')}</p>
    </article>,
    <div class="actions">
      <PostForm action={`${at}/ping`}>
        <Button>Send a test</Button>
      </PostForm>
      <PostForm action={`${at}/${webhook.paused_at === null ? 'pause' : 'resume'}`}>
        <Button kind="secondary">{webhook.paused_at === null ? 'Pause' : 'Resume'}</Button>
      </PostForm>
      <a class="button secondary" href={`${at}/remove`}>
        Remove…
      </a>
    </div>,
    <section>
      <h2>What was sent</h2>
      <List kind="plain-list" of={deliveries} empty="Nothing was sent yet.">
        {sent}
      </List>
    </section>,
  );
}

const STATES = { pending: 'waiting', delivered: 'arrived', failed: 'not received' } as const;

function sent(delivery: Delivery) {
  const { type, state, attempts, last_status: status, problem, next_attempt_at: next } = delivery;
  return (
    <>
      <strong>{type === 'ping' ? 'A test' : EVENTS[type].label}</strong>{' '}
      <span class="badge">{STATES[state]}</span>{' '}
      <span class="quiet">
        {atTime(delivery.created_at)} · {attempts === 0 ? 'not sent yet' : countText(attempts, 'try')}
        {status !== null && ` · HTTP ${status}`}
        {problem !== null && say` · the receiver ${safe(problem)}`}
        {next !== null && attempts > 0 && say` · again on ${atTime(next)}`}
      </span>
    </>
  );
}

export function removeWebhookPage(site: Site, webhook: Webhook): Page {
  const at = `${HERE}/${webhook.id}`;
  return ownAccountPage(
    site,
    HERE,
    { title: 'Remove this webhook?' },
    <article class="card">
      <h2>{safe(webhook.url)}</h2>
    </article>,
    prose`
      We stop sending to it at once, also what is still waiting, and delete its log. To stop it for a while,
      [pause it](${at}) instead.
    `,
    <ConfirmForm action={`${at}/remove`} button="Remove the webhook" back={at} />,
  );
}
