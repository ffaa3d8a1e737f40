import type { VouchedAgent } from '@svc/contract';
import { AGENTS_DONE, type AgentsData, agentsPage } from '../account/agents.tsx';
import { keysPage, revokeKeyPage } from '../account/keys.tsx';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addKey, listKeys, revoke } from '../../../accounts/key-store.ts';
import { vouchedAgentView } from '../../../accounts/view.ts';
import { linkOperator, listOperated, unlinkOperator } from '../../../accounts/agent-store.ts';
import { toTime } from '../../../db/clock.ts';
import { Failure } from '../../../platform/failure.ts';
import { idOf } from '../../errors.ts';
import type { Parts } from '../../parts.ts';
import { keyIn, shownOnce, siteFor } from '../site.ts';
import { type ById, checked, filled, type Form, formsOf, readForForm, typedIn } from '../form.ts';
import { callerOf } from '../session.ts';

const NO_KEY = 'no active key of this account has that id';

export function mountKeyPages(pages: FastifyInstance, parts: Parts): void {
  const { db, clock, config } = parts;
  const once = shownOnce<{ name: string; value: string }>(parts.keyring, parts.baseUrl, 'key');

  const show = async (request: FastifyRequest, more: Partial<Parameters<typeof keysPage>[1]>) => {
    const keys = await readForForm(more.problem, () => listKeys(db, callerOf(request).userId));
    return keysPage(siteFor(parts, request), { keys, ...more });
  };

  pages.get<{ Querystring: { done?: string } }>('/account/keys', async (request, reply) => {
    const made = once.take(request, reply, callerOf(request).userId);
    return show(request, { made, revoked: request.query.done === 'revoked' });
  });

  const post = formsOf(pages, show);
  const add = async (request: FastifyRequest, form: Form, reply: FastifyReply): Promise<string> => {
    const { userId } = callerOf(request);
    const { name, scope = 'read' } = checked(request, 'createKey', filled(form, 'name', 'scope'));
    const key = { userId, name, scope, at: toTime(clock.now()) };
    const { value } = await addKey(db, key, config.limits.keysPerAccount);
    once.give(reply, userId, { name, value });
    return '/account/keys';
  };
  post('/account/keys', add, (form) => ({ typed: typedIn(form, 'name', 'scope') }));

  pages.get('/account/keys/:id/revoke', async (request: ById) => {
    const { userId } = callerOf(request);
    const id = idOf(request.params.id, NO_KEY);
    const key = (await listKeys(db, userId)).find((row) => row.id === id && row.revoked_at === null);
    if (!key) throw new Failure('not_found', NO_KEY);
    return revokeKeyPage(siteFor(parts, request), key);
  });

  post('/account/keys/:id/revoke', async (request) => {
    await revoke(db, clock, callerOf(request), idOf(request.params.id, NO_KEY));
    return '/account/keys?done=revoked';
  });
}

export function mountAgentPages(pages: FastifyInstance, parts: Parts): void {
  const { db, clock } = parts;

  const show = async (request: FastifyRequest, more: Partial<AgentsData> = {}) => {
    const own = await readForForm(more.problem, async () => {
      const { userId } = callerOf(request);
      return { userId, agents: (await listOperated(db, userId)).map(vouchedAgentView) as VouchedAgent[] };
    });
    const typed = { public_key: '', signature: '', issued_at: toTime(clock.now()), ...more.typed };
    return agentsPage(siteFor(parts, request), { ...own, ...more, typed });
  };

  pages.get<{ Querystring: { done?: string } }>('/account/agents', async (request) => {
    const done = keyIn(AGENTS_DONE, request.query.done);
    return show(request, done && { done });
  });

  const post = formsOf(pages, show);
  const fields = ['public_key', 'signature', 'issued_at'] as const;
  const link = async (request: FastifyRequest, form: Form): Promise<string> => {
    const caller = callerOf(request);
    await linkOperator(db, clock, caller, checked(request, 'linkOperator', filled(form, ...fields)));
    return '/account/agents?done=linked';
  };
  post('/account/agents', link, (form) => ({ typed: typedIn(form, ...fields) }));

  post('/account/agents/unlink', async (request, form) => {
    const caller = callerOf(request);
    const body = checked(request, 'unlinkOperator', filled(form, 'public_key'));
    await unlinkOperator(db, caller, body.public_key);
    return '/account/agents?done=unlinked';
  });
}
