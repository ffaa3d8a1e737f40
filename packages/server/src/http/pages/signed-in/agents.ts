import type { VouchedAgent } from '@svc/contract';
import { AGENTS_DONE, type AgentsData, agentsPage } from '@svc/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { vouchedAgentView } from '../../../accounts/view.ts';
import { listOperated } from '../../../accounts/vouching-store.ts';
import { linkOperator, unlinkOperator } from '../../../accounts/vouching.ts';
import { toTime } from '../../../db/clock.ts';
import { Failure } from '../../../platform/failure.ts';
import { checked, filled, formOf } from '../form.ts';
import { type PageParts, siteFor } from '../parts.ts';
import { sendPage } from '../send.ts';
import { callerOf } from '../session.ts';
import { readForForm, formProblem } from './answers.ts';
import { seeOther } from '../see-other.ts';

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
