import {
  AGENTS_DONE,
  type AgentsData,
  agentsPage,
  type FormProblem,
  keysPage,
  revokeKeyPage,
} from '@svc/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { VouchedAgent } from '@svc/contract';
import { addKey, revoke } from '../../../accounts/keys.ts';
import { listKeys } from '../../../accounts/store.ts';
import { listedKeyView, vouchedAgentView } from '../../../accounts/view.ts';
import { toTime } from '../../../db/clock.ts';
import { Failure } from '../../../platform/failure.ts';
import { idOf } from '../../errors.ts';
import { checked, filled, formOf, formProblem, readForForm } from '../form.ts';
import { type PageParts, siteFor } from '../parts.ts';
import { seeOther, sendPage } from '../send.ts';
import { callerOf } from '../session.ts';
import { shownOnce } from '../cookies.ts';
import { listOperated } from '../../../accounts/vouching-store.ts';
import { linkOperator, unlinkOperator } from '../../../accounts/vouching.ts';

interface Made {
  name: string;
  value: string;
}

const NO_KEY = 'no active key of this account has that id';

export function mountKeyPages(pages: FastifyInstance, parts: PageParts): void {
  const { db, clock, view } = parts.facts;
  const once = shownOnce<Made>(view.keyring, parts.site.baseUrl, 'key');

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    more: {
      made?: Made | undefined;
      revoked?: boolean;
      typed?: { name: string; scope: string };
      problem?: FormProblem;
    },
  ): Promise<FastifyReply> => {
    const keys = await readForForm(more.problem, async () =>
      (await listKeys(db, callerOf(request).userId)).map(listedKeyView),
    );
    return sendPage(request, reply, keysPage(siteFor(parts.site, request), { keys, ...more }));
  };

  pages.get<{ Querystring: { done?: string } }>('/account/keys', async (request, reply) => {
    const { userId } = callerOf(request);
    const made = once.take(request, reply, userId);
    return show(request, reply, { made, revoked: request.query.done === 'revoked' });
  });

  pages.post('/account/keys', async (request, reply) => {
    const form = formOf(request);
    try {
      const { userId } = callerOf(request);
      const { name, scope = 'read' } = checked(request, 'createKey', filled(form, 'name', 'scope'));
      const { value } = await addKey(
        db,
        { userId, name, scope, at: toTime(clock.now()) },
        parts.limits.keysPerAccount,
      );
      once.give(reply, userId, { name, value });
      return seeOther(reply, '/account/keys');
    } catch (error) {
      const typed = { name: form['name'] ?? '', scope: form['scope'] ?? '' };
      return show(request, reply, { typed, problem: formProblem(error, request, reply) });
    }
  });

  pages.get<{ Params: { id: string } }>('/account/keys/:id/revoke', async (request, reply) => {
    const { userId } = callerOf(request);
    const id = idOf(request.params.id, NO_KEY);
    const key = (await listKeys(db, userId)).find((row) => row.id === id && row.revoked_at === null);
    if (!key) throw new Failure('not_found', NO_KEY);
    return sendPage(request, reply, revokeKeyPage(siteFor(parts.site, request), listedKeyView(key)));
  });

  pages.post<{ Params: { id: string } }>('/account/keys/:id/revoke', async (request, reply) => {
    const caller = callerOf(request);
    try {
      await revoke(db, clock, caller, idOf(request.params.id, NO_KEY));
      return seeOther(reply, '/account/keys?done=revoked');
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return show(request, reply, { problem: formProblem(error, request, reply) });
    }
  });
}

export function mountAgentPages(pages: FastifyInstance, parts: PageParts): void {
  const { db, clock } = parts.facts;

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    more: Partial<Pick<AgentsData, 'typed' | 'problem' | 'done'>>,
  ): Promise<FastifyReply> => {
    const own = await readForForm(more.problem, async () => {
      const { userId } = callerOf(request);
      return { userId, agents: (await listOperated(db, userId)).map(vouchedAgentView) as VouchedAgent[] };
    });
    const typed = { public_key: '', signature: '', issued_at: toTime(clock.now()), ...more.typed };
    return sendPage(request, reply, agentsPage(siteFor(parts.site, request), { ...own, ...more, typed }));
  };

  pages.get<{ Querystring: { done?: string } }>('/account/agents', async (request, reply) => {
    const { done } = request.query;
    const isKnown = done !== undefined && Object.hasOwn(AGENTS_DONE, done);
    return show(request, reply, isKnown ? { done: done as keyof typeof AGENTS_DONE } : {});
  });

  pages.post('/account/agents', async (request, reply) => {
    const form = formOf(request);
    try {
      const caller = callerOf(request);
      const body = checked(request, 'linkOperator', filled(form, 'public_key', 'signature', 'issued_at'));
      await linkOperator(db, clock, caller, body);
      return seeOther(reply, '/account/agents?done=linked');
    } catch (error) {
      const { public_key = '', signature = '', issued_at = '' } = form;
      return show(request, reply, {
        typed: { public_key, signature, issued_at },
        problem: formProblem(error, request, reply),
      });
    }
  });

  pages.post('/account/agents/unlink', async (request, reply) => {
    const caller = callerOf(request);
    try {
      const body = checked(request, 'unlinkOperator', filled(formOf(request), 'public_key'));
      await unlinkOperator(db, caller, body.public_key);
      return seeOther(reply, '/account/agents?done=unlinked');
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return show(request, reply, { problem: formProblem(error, request, reply) });
    }
  });
}
