import type { VouchedAgent } from '@svc/contract';
import {
  AGENTS_DONE,
  type AgentsData,
  agentsPage,
  type FormProblem,
  keysPage,
  type Page,
  revokeKeyPage,
} from '@svc/web';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addKey, listKeys, revoke } from '../../../accounts/key-store.ts';
import { vouchedAgentView } from '../../../accounts/view.ts';
import { linkOperator, listOperated, unlinkOperator } from '../../../accounts/agent-store.ts';
import { toTime } from '../../../db/clock.ts';
import { Failure } from '../../../platform/failure.ts';
import { idOf } from '../../errors.ts';
import type { Parts } from '../../parts.ts';
import { keyIn, shownOnce, siteFor } from '../site.ts';
import { checked, filled, formOf, isFailure, readForForm, submit, typedIn } from '../form.ts';
import { callerOf } from '../session.ts';

interface Made {
  name: string;
  value: string;
}

const NO_KEY = 'no active key of this account has that id';

export function mountKeyPages(pages: FastifyInstance, parts: Parts): void {
  const { db, clock, config } = parts;
  const once = shownOnce<Made>(parts.keyring, parts.baseUrl, 'key');

  const show = async (
    request: FastifyRequest,
    more: {
      made?: Made | undefined;
      revoked?: boolean;
      typed?: { name: string; scope: string };
      problem?: FormProblem;
    },
  ): Promise<Page> => {
    const keys = await readForForm(more.problem, () => listKeys(db, callerOf(request).userId));
    return keysPage(siteFor(parts, request), { keys, ...more });
  };

  pages.get<{ Querystring: { done?: string } }>('/account/keys', async (request, reply) => {
    const made = once.take(request, reply, callerOf(request).userId);
    return show(request, { made, revoked: request.query.done === 'revoked' });
  });

  pages.post('/account/keys', async (request, reply) => {
    const form = formOf(request);
    const add = async (): Promise<string> => {
      const { userId } = callerOf(request);
      const { name, scope = 'read' } = checked(request, 'createKey', filled(form, 'name', 'scope'));
      const key = { userId, name, scope, at: toTime(clock.now()) };
      const { value } = await addKey(db, key, config.limits.keysPerAccount);
      once.give(reply, userId, { name, value });
      return '/account/keys';
    };
    return submit(request, reply, add, (problem) =>
      show(request, { typed: typedIn(form, 'name', 'scope'), problem }),
    );
  });

  pages.get<{ Params: { id: string } }>('/account/keys/:id/revoke', async (request) => {
    const { userId } = callerOf(request);
    const id = idOf(request.params.id, NO_KEY);
    const key = (await listKeys(db, userId)).find((row) => row.id === id && row.revoked_at === null);
    if (!key) throw new Failure('not_found', NO_KEY);
    return revokeKeyPage(siteFor(parts, request), key);
  });

  pages.post<{ Params: { id: string } }>('/account/keys/:id/revoke', async (request, reply) => {
    const caller = callerOf(request);
    const work = async (): Promise<string> => {
      await revoke(db, clock, caller, idOf(request.params.id, NO_KEY));
      return '/account/keys?done=revoked';
    };
    return submit(request, reply, work, (problem) => show(request, { problem }), isFailure);
  });
}

export function mountAgentPages(pages: FastifyInstance, parts: Parts): void {
  const { db, clock } = parts;

  const show = async (
    request: FastifyRequest,
    more: Partial<Pick<AgentsData, 'typed' | 'problem' | 'done'>> = {},
  ): Promise<Page> => {
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

  pages.post('/account/agents', async (request, reply) => {
    const form = formOf(request);
    const link = async (): Promise<string> => {
      const caller = callerOf(request);
      const body = checked(request, 'linkOperator', filled(form, 'public_key', 'signature', 'issued_at'));
      await linkOperator(db, clock, caller, body);
      return '/account/agents?done=linked';
    };
    return submit(request, reply, link, (problem) =>
      show(request, { typed: typedIn(form, 'public_key', 'signature', 'issued_at'), problem }),
    );
  });

  pages.post('/account/agents/unlink', async (request, reply) => {
    const caller = callerOf(request);
    const unlink = async (): Promise<string> => {
      const body = checked(request, 'unlinkOperator', filled(formOf(request), 'public_key'));
      await unlinkOperator(db, caller, body.public_key);
      return '/account/agents?done=unlinked';
    };
    return submit(request, reply, unlink, (problem) => show(request, { problem }), isFailure);
  });
}
