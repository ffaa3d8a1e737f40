import { EVENT_TYPES } from '@svc/contract';
import { type FormProblem, type Page, removeWebhookPage, webhookPage, webhooksPage } from '@svc/web';
import type { FastifyInstance, FastifyRequest } from 'fastify';
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
import { Failure } from '../../../platform/failure.ts';
import { idOf } from '../../errors.ts';
import type { Parts } from '../../parts.ts';
import { shownOnce, siteFor } from '../site.ts';
import { checked, filled, formOf, readForForm, submit } from '../form.ts';
import { seeOther } from '../send.ts';
import { callerOf } from '../session.ts';

interface Made {
  url: string;
  secret: string;
}
interface Named {
  Params: { id: string };
}
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
  const once = shownOnce<Made>(keyring, parts.baseUrl, 'webhook');
  const idIn = (request: FastifyRequest<Named>): string => idOf(request.params.id, NO_WEBHOOK);

  const show = async (
    request: FastifyRequest,
    more: {
      made?: Made | undefined;
      removed?: boolean;
      typed?: { url: string; types: readonly string[] };
      problem?: FormProblem;
    },
  ): Promise<Page> => {
    const webhooks = await readForForm(more.problem, () => listWebhooks(parts, callerOf(request)));
    return webhooksPage(siteFor(parts, request), { webhooks, ...more });
  };

  const showOne = async (request: FastifyRequest<Named>, problem?: FormProblem): Promise<Page> => {
    const id = idIn(request);
    const webhook = await ownWebhook(parts, callerOf(request), id);
    const deliveries = (await listDeliveries(db, id, undefined, LOG)).map(({ delivery }) => delivery);
    return webhookPage(siteFor(parts, request), { webhook, deliveries, problem });
  };

  const act = (
    path: string,
    work: (request: FastifyRequest<Named>, id: string) => Promise<unknown>,
  ): void => {
    pages.post<Named>(`${AT}/:id/${path}`, async (request, reply) => {
      const id = idIn(request);
      const workOnIt = async (): Promise<string> => (await work(request, id), `${AT}/${id}`);
      const isShown = (error: unknown) => error instanceof Failure && error.code !== 'not_found';
      return submit(request, reply, workOnIt, (problem) => showOne(request, problem), isShown);
    });
  };

  pages.get<{ Querystring: { done?: string } }>(AT, async (request, reply) => {
    const made = once.take(request, reply, callerOf(request).userId);
    return show(request, { made, removed: request.query.done === 'removed' });
  });

  pages.post(AT, async (request, reply) => {
    const form = formOf(request);
    const types = EVENT_TYPES.filter((type) => form[type] === 'on');
    const create = async (): Promise<string> => {
      const caller = callerOf(request);
      const body = checked(request, 'createWebhook', { ...filled(form, 'url'), types });
      const { webhook, secret } = await createWebhook({ db, clock, keyring, most: perAccount }, caller, {
        url: body.url,
        ...(body.types && { types: body.types }),
      });
      once.give(reply, caller.userId, { url: webhook.url, secret });
      return AT;
    };
    return submit(request, reply, create, (problem) =>
      show(request, { typed: { url: form['url'] ?? '', types }, problem }),
    );
  });

  pages.get<Named>(`${AT}/:id`, async (request) => showOne(request));

  act('ping', (request, id) => pingWebhook(parts, callerOf(request), id));
  act('pause', (request, id) => pauseWebhook(parts, callerOf(request), { id, paused: true }));
  act('resume', (request, id) => pauseWebhook(parts, callerOf(request), { id, paused: false }));

  pages.get<Named>(`${AT}/:id/remove`, async (request) => {
    const webhook = await ownWebhook(parts, callerOf(request), idIn(request));
    return removeWebhookPage(siteFor(parts, request), webhook);
  });

  pages.post<Named>(`${AT}/:id/remove`, async (request, reply) => {
    await deleteWebhook(parts, callerOf(request), idIn(request));
    return seeOther(reply, `${AT}?done=removed`);
  });
}
