import { CODE, isUuid, ROUTES } from '@svc/contract';
import { parseQuestion } from '@svc/protocol/conventions';
import {
  ANSWERS_BY,
  type AnswersBy,
  challengeEmbedPage,
  challengePage,
  challengesPage,
  drawAnswer,
  embedPolicy,
} from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { findOwnEntry } from '../../challenges/entries-store.ts';
import { findChallengeByCode } from '../../challenges/store.ts';
import type { Queryable } from '../../db/db.ts';
import { Failure } from '../../platform/failure.ts';
import { findEtches } from '../../etches/store.ts';
import { etchViews, lengthOf } from '../../etches/view.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { challengeMarkdown } from '../../records/record-markdown.ts';
import { answerChallenge, answerChallenges } from '../routes/challenges.ts';
import { readOutcomes } from '../../records/scores/resolution.ts';
import { scoreChallenge } from '../../records/scores/score.ts';
import { isResolved, listNames } from '../../records/scores/store.ts';
import { followingOf, takeAnonymous } from './session.ts';
import { assets } from './assets.ts';
import { orProblem, outcomesOf, scoreContext } from './scores.ts';
import { type PageParts, siteFor, siteOf } from './parts.ts';
import { idsBy, type ReadAnswers, saidReader } from './said.ts';
import { pageHeaders, sendData, sendFresh, sendMarkdown, sendPage, splitEnding, wantedForm } from './send.ts';

const CODE_FORM = new RegExp(CODE, 'i');

export const challengeFinder =
  (db: Queryable) =>
  async (name: string): Promise<string> => {
    if (isUuid(name)) return name.toLowerCase();
    const found = CODE_FORM.test(name) ? await findChallengeByCode(db, name) : undefined;
    if (!found) throw new Failure('not_found', 'no challenge has this address');
    return found.id;
  };

export function mountChallengePages(app: FastifyInstance, parts: PageParts): void {
  const { db } = parts.facts;
  const findId = challengeFinder(db);

  app.get<{ Querystring: Record<string, string> }>('/challenges', async (request, reply) => {
    await takeAnonymous(parts, request);
    const { query } = request;
    const isJson = wantedForm(request.headers.accept) === 'json';
    const resolved = isJson ? undefined : ['yes', 'no'].find((word) => word === query['resolved']);
    const found = await answerChallenges(
      parts.facts,
      request.session?.caller.userId,
      query,
      resolved === undefined ? undefined : isResolved(resolved === 'yes'),
    );
    if (isJson) return sendData(request, reply, found);
    const outcomes = await outcomesOf(parts, found.challenges);
    return sendPage(
      request,
      reply,
      challengesPage(siteFor(parts.site, request), { ...found, resolved, outcomes }),
    );
  });

  const readSaid = saidReader(parts.facts);

  app.get<{
    Params: { id: string };
    Querystring: {
      sort?: string;
      limit?: string;
      cursor?: string;
      show?: string;
      by?: string;
      from?: string;
    };
  }>('/ch/:id', { schema: { querystring: ROUTES.getChallenge.query } }, async (request, reply) => {
    const { name, form } = splitEnding(request.params.id, request.headers.accept);
    const standingOnly = form === 'html' && request.query.show === 'standing';
    const found = await answerChallenge(parts.facts, await findId(name), request.query, { standingOnly });
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
    const by = ANSWERS_BY.find((word) => word === request.query.by);
    const from = by ? Math.max(0, Number.parseInt(request.query.from ?? '0', 10) || 0) : 0;
    const isFirst = request.query.cursor === undefined && from === 0;
    const { id, question, closed } = found.challenge;
    const isScored = isFirst && closed && parseQuestion(question).asks !== 'text';
    const score = isScored ? await orProblem(scoreChallenge(scoreContext(parts), id, 1)) : undefined;
    const names = new Map(
      score && 'standings' in score
        ? (
            await listNames(
              db,
              score.standings.map(({ username }) => username),
            )
          ).map((one) => [one.username, one.display_name])
        : [],
    );
    const outcome = closed
      ? (await readOutcomes(db, [found.challenge], scoreContext(parts))).get(id)
      : undefined;
    const following = await followingOf(parts.facts, request, 'challenge', found.challenge.id);
    const answers = await readSaid(found.challenge, found.counts);
    const ordered = by && answers?.said ? await pageBy(answers, by, from, found.page.limit) : undefined;
    if (ordered) found.etches = ordered.etches;
    const { session } = request;
    const answered = session ? await findOwnEntry(db, id, session.caller.userId) : undefined;
    const asked = parseQuestion(question);
    await mapInTimeSlices(found.etches, lengthOf, (etch) => drawAnswer(etch, asked));
    return sendPage(
      request,
      reply,
      challengePage(siteFor(parts.site, request), found, {
        isFirst,
        following,
        score,
        names,
        outcome,
        said: isFirst ? answers?.said : undefined,
        kinds: answers?.said,
        by: ordered && { by: by!, next: ordered.next },
        answered,
        standingOnly,
      }),
    );
  });

  app.get<{ Params: { id: string } }>('/ch/:id/embed', async (request, reply) => {
    const { challenge, counts } = await answerChallenge(parts.facts, await findId(request.params.id), {
      limit: '1',
    });
    const { id, closed } = challenge;
    const outcome = closed ? (await readOutcomes(db, [challenge], scoreContext(parts))).get(id) : undefined;
    const said = (await readSaid(challenge, counts))?.said;
    const files = assets().embed;
    void pageHeaders(reply, embedPolicy(files)).header('Content-Type', 'text/html; charset=utf-8');
    return sendFresh(
      request,
      reply,
      challengeEmbedPage(siteOf(parts.site), { challenge, counts }, { said, outcome }, files),
    );
  });

  async function pageBy(answers: ReadAnswers, by: AnswersBy, from: number, limit: number) {
    const { clock, view } = parts.facts;
    const ids = idsBy(answers, by);
    const etches = await etchViews(await findEtches(db, ids.slice(from, from + limit)), clock.now(), view);
    return { etches, next: from + limit < ids.length ? from + limit : null };
  }
}
