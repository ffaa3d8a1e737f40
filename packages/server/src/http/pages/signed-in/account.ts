import { Readable } from 'node:stream';
import { limitsPage, PROFILE_DONE, profilePage } from '../account/profile.tsx';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readBucket } from '../../../accounts/allowance-store.ts';
import { findAccount, renameAccount } from '../../../accounts/store.ts';
import { challengeAllowanceView, limitsView, meView } from '../../../accounts/view.ts';
import { toTime } from '../../../db/clock.ts';
import { Failure } from '../../../platform/failure.ts';
import type { Parts } from '../../parts.ts';
import { answerRecord } from '../../routes/records.ts';
import { checked, filled, type Form, formsOf, readForForm } from '../form.ts';
import { callerOf, sessionOf } from '../session.ts';
import { keyIn, siteFor } from '../site.ts';

export function mountAccountPages(pages: FastifyInstance, parts: Parts): void {
  const { db, clock, config, identity } = parts;

  const show = async (request: FastifyRequest, more: Partial<Parameters<typeof profilePage>[1]> = {}) => {
    const user = await readForForm(more.problem, async () =>
      meView((await findAccount(db, callerOf(request).userId))!),
    );
    return profilePage(siteFor(parts, request), { user, ...more });
  };

  pages.get<{ Querystring: { done?: string; away?: string } }>('/account', async (request) => {
    callerOf(request);
    if (request.query.away === '1') return show(request, { problem: { message: AWAY } });
    const done = keyIn(PROFILE_DONE, request.query.done);
    return show(request, done && { done });
  });

  const post = formsOf(pages, show);
  const rename = async (request: FastifyRequest, form: Form): Promise<string> => {
    const { userId } = callerOf(request);
    const body = checked(request, 'updateMe', filled(form, 'display_name'));
    await renameAccount(db, userId, body.display_name);
    return '/account?done=name';
  };
  post('/account/name', rename, (form) => ({ displayName: form['display_name'] ?? '' }));

  post('/account/social', async (request) => {
    const session = sessionOf(request);
    try {
      const token = await session.token();
      if (token === undefined) throw tooOld();
      await identity.social.sync(session.caller, token);
      return '/account?done=social';
    } catch (error) {
      // The identity provider does not answer, but this page works.
      if (error instanceof Failure && error.code === 'service_unavailable') return '/account?away=1';
      throw error;
    }
  });

  pages.get('/account/limits', async (request) => {
    const caller = callerOf(request);
    const now = clock.now();
    const [etch, challenge] = await Promise.all([
      readBucket(db, caller.userId, 'etch'),
      readBucket(db, caller.userId, 'challenge'),
    ]);
    const { account, etches } = limitsView(caller, etch, config.limits, now);
    const challenges = challengeAllowanceView(challenge, config.limits, now);
    return limitsPage(siteFor(parts, request), { account, etches, challenges });
  });

  pages.get('/account/export', async (request, reply) => {
    const {
      userId,
      author: { username },
    } = callerOf(request);
    return reply
      .header('Content-Type', 'application/x-ndjson; charset=utf-8')
      .header('Content-Disposition', `attachment; filename="record-${username}.ndjson"`)
      .header('Cache-Control', 'no-store')
      .send(Readable.from(exportedLines(parts, { username, userId })));
  });
}

const AWAY =
  'the identity provider gave no answer. Nothing was changed, and you stay signed in: try again later';

/** The issuer returns claims only for a valid token. */
function tooOld(): Failure {
  return new Failure(
    'forbidden',
    'the identity provider cannot be reached, or your sign-in is too old for it. Nothing was changed: try again later, or sign out and in again',
  );
}

/** A file without the last line is incomplete. */
async function* exportedLines(
  parts: Parts,
  { username, userId }: { username: string; userId: string },
): AsyncGenerator<string> {
  const line = (value: object): string => `${JSON.stringify(value)}\n`;
  let count = 0;
  let cursor: string | null = null;
  do {
    const query = { limit: '100', who: userId, ...(cursor !== null && { cursor }) };
    const found: Awaited<ReturnType<typeof answerRecord>> = await answerRecord(parts, username, query);
    if (cursor === null) {
      const { user, counts } = found;
      yield line({ type: 'account', exported_at: toTime(parts.clock.now()), user, counts });
    }
    for (const { id } of found.etches) {
      // This reads the etch once: if it was retracted meanwhile, the line is its tombstone.
      yield line({ type: 'etch', ...(await parts.etches.verifier.shown(id)) });
      count++;
    }
    cursor = found.page.next_cursor;
  } while (cursor !== null);
  yield line({ type: 'end', etches: count });
}
