import { EVENT_TYPES } from '@svc/contract';
import type { FormProblem } from '@svc/web/parts/form';
import { removeWebhookPage, webhookPage, webhooksPage } from '../account/webhooks.tsx';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
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
import type { Parts } from '../../parts.ts';
import { shownOnce, siteFor } from '../site.ts';
import { type ById, checked, filled, type Form, formsOf, readForForm } from '../form.ts';
import { seeOther } from '../send.ts';
import { callerOf } from '../session.ts';

const AT = '/account/webhooks';
const LOG = 30;

export function mountWebhookPages(pages: FastifyInstance, parts: Parts): void {
  const { db, clock, keyring } = parts;
  const { enabled, perAccount } = parts.config.webhooks;
  if (!enabled) {
    pages.get(AT, async (request) => {
      callerOf(request);
      return webhooksPage(siteFor(parts, request), { off: true });
    });
    return;
  }
  const once = shownOnce<{ url: string; secret: string }>(keyring, parts.baseUrl, 'webhook');
  const idIn = (request: ById): string => idOf(request.params.id, NO_WEBHOOK);

  const show = async (request: FastifyRequest, more: Parameters<typeof webhooksPage>[1]) => {
    const webhooks = await readForForm(more.problem, () => listWebhooks(parts, callerOf(request)));
    return webhooksPage(siteFor(parts, request), { webhooks, ...more });
  };

  const showOne = async (request: ById, { problem }: { problem?: FormProblem }) => {
    const id = idIn(request);
    const webhook = await ownWebhook(parts, callerOf(request), id);
    const deliveries = (await listDeliveries(db, id, undefined, LOG)).map(({ delivery }) => delivery);
    return webhookPage(siteFor(parts, request), { webhook, deliveries, problem });
  };

  pages.get<{ Querystring: { done?: string } }>(AT, async (request, reply) => {
    const made = once.take(request, reply, callerOf(request).userId);
    return show(request, { made, removed: request.query.done === 'removed' });
  });

  const typesIn = (form: Form) => EVENT_TYPES.filter((type) => form[type] === 'on');
  const create = async (request: FastifyRequest, form: Form, reply: FastifyReply): Promise<string> => {
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
    ['ping', (caller, id) => pingWebhook(parts, caller, id)],
    ['pause', (caller, id) => pauseWebhook(parts, caller, { id, paused: true })],
    ['resume', (caller, id) => pauseWebhook(parts, caller, { id, paused: false })],
  ] satisfies [string, (caller: Caller, id: string) => Promise<unknown>][])
    formsOf(pages, showOne)(`${AT}/:id/${path}`, async (request) => {
      const id = idIn(request);
      await act(callerOf(request), id);
      return `${AT}/${id}`;
    });

  pages.get(`${AT}/:id/remove`, async (request: ById) => {
    const webhook = await ownWebhook(parts, callerOf(request), idIn(request));
    return removeWebhookPage(siteFor(parts, request), webhook);
  });

  pages.post(`${AT}/:id/remove`, async (request: ById, reply) => {
    await deleteWebhook(parts, callerOf(request), idIn(request));
    return seeOther(reply, `${AT}?done=removed`);
  });
}
