import { EVENT_TYPES } from '@svc/contract';
import { type FormProblem, removeWebhookPage, webhookPage, webhooksPage } from '@svc/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../../platform/failure.ts';
import { pingWebhook } from '../../../notify/webhooks/ping.ts';
import { listDeliveryRows, listWebhookRows, type WebhookRow } from '../../../notify/webhooks/store.ts';
import { deliveryView, webhookView } from '../../../notify/webhooks/view.ts';
import {
  createWebhook,
  deleteWebhook,
  NO_WEBHOOK,
  ownWebhook,
  pauseWebhook,
} from '../../../notify/webhooks/webhooks.ts';
import { idOf } from '../../errors.ts';
import { checked, filled, formOf, formProblem, readForForm } from '../form.ts';
import { type PageParts, siteFor } from '../parts.ts';
import { seeOther, sendPage } from '../send.ts';
import { callerOf } from '../session.ts';
import { shownOnce } from '../cookies.ts';

interface Made {
  url: string;
  secret: string;
}
interface Named {
  Params: { id: string };
}
const AT = '/account/webhooks';
const LOG = 30;

export function mountWebhookPages(pages: FastifyInstance, parts: PageParts): void {
  const { db, clock } = parts.facts;
  const { enabled, perAccount, ...attempt } = parts.webhooks;
  const { keyring } = attempt;
  if (!enabled) {
    pages.get(AT, async (request, reply) => {
      callerOf(request);
      return sendPage(request, reply, webhooksPage(siteFor(parts.site, request), { off: true }));
    });
    return;
  }
  const once = shownOnce<Made>(keyring, parts.site.baseUrl, 'webhook');
  const view = (row: WebhookRow) => webhookView(row, clock.now());
  const idIn = (request: FastifyRequest<Named>): string => idOf(request.params.id, NO_WEBHOOK);

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    more: {
      made?: Made | undefined;
      removed?: boolean;
      typed?: { url: string; types: readonly string[] };
      problem?: FormProblem;
    },
  ): Promise<FastifyReply> => {
    const webhooks = await readForForm(more.problem, async () =>
      (await listWebhookRows(db, callerOf(request).userId)).map(view),
    );
    return sendPage(request, reply, webhooksPage(siteFor(parts.site, request), { webhooks, ...more }));
  };

  const showOne = async (
    request: FastifyRequest<Named>,
    reply: FastifyReply,
    problem?: FormProblem,
  ): Promise<FastifyReply> => {
    const id = idIn(request);
    const webhook = view(await ownWebhook(db, callerOf(request), id));
    const deliveries = (await listDeliveryRows(db, id, undefined, LOG)).map(deliveryView);
    return sendPage(
      request,
      reply,
      webhookPage(siteFor(parts.site, request), { webhook, deliveries, problem }),
    );
  };

  const act = (
    path: string,
    work: (request: FastifyRequest<Named>, id: string) => Promise<unknown>,
  ): void => {
    pages.post<Named>(`${AT}/:id/${path}`, async (request, reply) => {
      const id = idIn(request);
      try {
        await work(request, id);
        return seeOther(reply, `${AT}/${id}`);
      } catch (error) {
        if (!(error instanceof Failure) || error.code === 'not_found') throw error;
        return showOne(request, reply, formProblem(error, request, reply));
      }
    });
  };

  pages.get<{ Querystring: { done?: string } }>(AT, async (request, reply) => {
    const made = once.take(request, reply, callerOf(request).userId);
    return show(request, reply, { made, removed: request.query.done === 'removed' });
  });

  pages.post(AT, async (request, reply) => {
    const form = formOf(request);
    const types = EVENT_TYPES.filter((type) => form[type] === 'on');
    try {
      const caller = callerOf(request);
      const body = checked(request, 'createWebhook', { ...filled(form, 'url'), types });
      const { row, secret } = await createWebhook({ db, clock, keyring, most: perAccount }, caller, {
        url: body.url,
        ...(body.types && { types: body.types }),
      });
      once.give(reply, caller.userId, { url: row.url, secret });
      return seeOther(reply, AT);
    } catch (error) {
      const typed = { url: form['url'] ?? '', types };
      return show(request, reply, { typed, problem: formProblem(error, request, reply) });
    }
  });

  pages.get<Named>(`${AT}/:id`, async (request, reply) => showOne(request, reply));

  act('ping', (request, id) => pingWebhook({ db, clock, ...attempt }, callerOf(request), id));
  act('pause', (request, id) => pauseWebhook({ db, clock }, callerOf(request), { id, paused: true }));
  act('resume', (request, id) => pauseWebhook({ db, clock }, callerOf(request), { id, paused: false }));

  pages.get<Named>(`${AT}/:id/remove`, async (request, reply) => {
    const webhook = view(await ownWebhook(db, callerOf(request), idIn(request)));
    return sendPage(request, reply, removeWebhookPage(siteFor(parts.site, request), webhook));
  });

  pages.post<Named>(`${AT}/:id/remove`, async (request, reply) => {
    await deleteWebhook(db, callerOf(request), idIn(request));
    return seeOther(reply, `${AT}?done=removed`);
  });
}
