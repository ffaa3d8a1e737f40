import { type FormProblem, keysPage, revokeKeyPage } from '@svc/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addKey, revoke } from '../../../accounts/keys.ts';
import { listKeys } from '../../../accounts/store.ts';
import { listedKeyView } from '../../../accounts/view.ts';
import { toTime } from '../../../db/clock.ts';
import { Failure } from '../../../platform/failure.ts';
import { idOf } from '../../path-id.ts';
import { checked, filled, formOf } from '../form.ts';
import { type PageParts, siteFor } from '../parts.ts';
import { sendPage } from '../send.ts';
import { callerOf } from '../session.ts';
import { readForForm, formProblem } from './answers.ts';
import { seeOther } from '../see-other.ts';
import { shownOnce } from '../shown-once.ts';

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
