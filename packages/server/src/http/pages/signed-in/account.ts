import { Readable } from 'node:stream';
import { type FormProblem, limitsPage, PROFILE_DONE, profilePage } from '@svc/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Etch } from '@svc/contract';
import { findAccount, readBucket, renameAccount } from '../../../accounts/store.ts';
import { challengeAllowanceView, limitsView, meView } from '../../../accounts/view.ts';
import { Failure } from '../../../platform/failure.ts';
import { checked, filled, formOf, formProblem, readForForm } from '../form.ts';
import { type PageParts, siteFor } from '../parts.ts';
import { seeOther, sendPage } from '../send.ts';
import { callerOf, sessionOf } from '../session.ts';
import { toTime } from '../../../db/clock.ts';
import { answerRecord } from '../../routes/records.ts';

export function mountAccountPages(pages: FastifyInstance, parts: PageParts): void {
  const { db, clock } = parts.facts;
  const { limits } = parts;
  const { social } = parts.signIn;

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    more: { displayName?: string; problem?: FormProblem; done?: keyof typeof PROFILE_DONE } = {},
  ): Promise<FastifyReply> => {
    const user = await readForForm(more.problem, async () =>
      meView((await findAccount(db, callerOf(request).userId))!),
    );
    return sendPage(request, reply, profilePage(siteFor(parts.site, request), { user, ...more }));
  };

  pages.get<{ Querystring: { done?: string; away?: string } }>('/account', async (request, reply) => {
    callerOf(request);
    const { done, away } = request.query;
    if (away === '1') return show(request, reply, { problem: { message: AWAY } });
    const isKnown = done !== undefined && Object.hasOwn(PROFILE_DONE, done);
    return show(request, reply, isKnown ? { done: done as keyof typeof PROFILE_DONE } : {});
  });

  pages.post('/account/name', async (request, reply) => {
    const form = formOf(request);
    try {
      const { userId } = callerOf(request);
      const body = checked(request, 'updateMe', filled(form, 'display_name'));
      await renameAccount(db, userId, body.display_name);
      return seeOther(reply, '/account?done=name');
    } catch (error) {
      const problem = formProblem(error, request, reply);
      return show(request, reply, { displayName: form['display_name'] ?? '', problem });
    }
  });

  pages.post('/account/social', async (request, reply) => {
    const session = sessionOf(request);
    try {
      const token = await session.token();
      if (token === undefined) throw tooOld();
      await social.sync(session.caller, token);
      return seeOther(reply, '/account?done=social');
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      // The identity provider does not answer, but this page works.
      if (error.code === 'service_unavailable') return seeOther(reply, '/account?away=1');
      return show(request, reply, { problem: formProblem(error, request, reply) });
    }
  });

  pages.get('/account/limits', async (request, reply) => {
    const caller = callerOf(request);
    const now = clock.now();
    const [etch, challenge] = await Promise.all([
      readBucket(db, caller.userId, 'etch'),
      readBucket(db, caller.userId, 'challenge'),
    ]);
    const { account, etches } = limitsView(caller, etch, limits, now);
    const challenges = challengeAllowanceView(challenge, limits, now);
    return sendPage(
      request,
      reply,
      limitsPage(siteFor(parts.site, request), { account, etches, challenges }),
    );
  });
}

const AWAY =
  'the identity provider cannot be reached, or does not tell: nothing was changed. You stay signed in, and everything else here goes on; try again in a while';

/** The issuer returns claims only for a valid token. */
function tooOld(): Failure {
  return new Failure(
    'forbidden',
    'your sign-in is too old for the identity provider to tell, or it cannot be reached: sign out and in again; nothing was changed',
  );
}

const ON_A_PAGE = '100';

export function mountExport(pages: FastifyInstance, parts: PageParts): void {
  pages.get('/account/export', async (request, reply) => {
    const { username } = callerOf(request).author;
    return reply
      .header('Content-Type', 'application/x-ndjson; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="record-${username}.ndjson"`)
      .header('Cache-Control', 'no-store')
      .send(Readable.from(lines(parts, username)));
  });
}

/** A file without the last line is incomplete. */
async function* lines({ facts, etches: { verifier } }: PageParts, username: string): AsyncGenerator<string> {
  const line = (value: object): string => `${JSON.stringify(value)}\n`;
  let count = 0;
  let cursor: string | undefined;
  do {
    const query = { limit: ON_A_PAGE, ...(cursor !== undefined && { cursor }) };
    const found: {
      user: object;
      counts: object;
      etches: readonly Etch[];
      page: { next_cursor: string | null };
    } = await answerRecord(facts, username, query);
    if (cursor === undefined) {
      const { user, counts } = found;
      yield line({ type: 'account', exported_at: toTime(facts.clock.now()), user, counts });
    }
    for (const { id } of found.etches) {
      // This reads the etch once: if it was retracted meanwhile, the line is its tombstone.
      yield line({ type: 'etch', ...(await verifier.shown(id)) });
      count++;
    }
    cursor = found.page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  yield line({ type: 'end', etches: count });
}
