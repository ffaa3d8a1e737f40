import { CODE, isUuid, ROUTES } from '@svc/contract';
import { parseQuestion } from '@svc/protocol/conventions';
import { challengePage, challengesPage } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { findChallengeByCode } from '../../challenges/store.ts';
import { Failure } from '../../errors/failure.ts';
import { challengeMarkdown } from '../../records/challenge-markdown.ts';
import { answerChallenge, answerChallenges } from '../routes/challenges.ts';
import { scoreChallenge } from '../../scores/score.ts';
import { takeAnonymous } from './allowance.ts';
import { drawCards } from './draw-cards.ts';
import { followingOf } from './own.ts';
import { type PageParts, siteFor } from './parts.ts';
import { orProblem, scoreContext } from './scores.ts';
import { sendData, sendMarkdown, sendPage } from './send.ts';
import { splitEnding, wantedForm } from './wanted.ts';

const CODE_FORM = new RegExp(CODE, 'i');

/** `/challenges` and `/ch/…`. */
export function mountChallengePages(app: FastifyInstance, parts: PageParts): void {
  const { db } = parts.facts;

  app.get<{ Querystring: Record<string, string> }>('/challenges', async (request, reply) => {
    await takeAnonymous(parts, request);
    const found = await answerChallenges(parts.facts, request.query);
    if (wantedForm(request.headers.accept) === 'json') return sendData(request, reply, found);
    return sendPage(request, reply, challengesPage(siteFor(parts.site, request), found));
  });

  app.get<{ Params: { id: string }; Querystring: { sort?: string; limit?: string; cursor?: string } }>(
    '/ch/:id',
    { schema: { querystring: ROUTES.getChallenge.query } },
    async (request, reply) => {
      const { name, form } = splitEnding(request.params.id, request.headers.accept);
      const found = await answerChallenge(parts.facts, await findId(name), request.query);
      if (form === 'json') return sendData(request, reply, found);
      if (form === 'markdown') {
        const { next_cursor: cursor } = found.page;
        const nextUrl = cursor && `${parts.site.baseUrl}/ch/${found.challenge.id}.md?cursor=${cursor}`;
        return sendMarkdown(
          request,
          reply,
          await challengeMarkdown(found, { nextUrl, drand: parts.facts.view.drand }),
        );
      }
      const isFirst = request.query.cursor === undefined;
      const { id, question, closed } = found.challenge;
      const isScored = isFirst && closed && parseQuestion(question).asks !== 'text';
      const score = isScored ? await orProblem(scoreChallenge(scoreContext(parts), id, 1)) : undefined;
      const following = await followingOf(parts.facts, request, 'challenge', found.challenge.id);
      await drawCards(found.etches, parts.site);
      return sendPage(
        request,
        reply,
        challengePage(siteFor(parts.site, request), found, { isFirst, following, score }),
      );
    },
  );

  async function findId(name: string): Promise<string> {
    if (isUuid(name)) return name.toLowerCase();
    const found = CODE_FORM.test(name) ? await findChallengeByCode(db, name) : undefined;
    if (!found) throw new Failure('not_found', 'no challenge has this address');
    return found.id;
  }
}
