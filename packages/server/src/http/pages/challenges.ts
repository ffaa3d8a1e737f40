import { ROUTES } from '@svc/contract';
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
import { findOwnEntry } from '../../challenges/list-store.ts';
import { findEtches } from '../../etches/store.ts';
import { etchViews, lengthOf } from '../../etches/view.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { readOutcomes } from '../../records/scores/resolution.ts';
import { scoreChallenge } from '../../records/scores/score.ts';
import { isResolved, listNames } from '../../records/scores/store.ts';
import { type Parts, scoreContext } from '../parts.ts';
import { answerChallenge, answerChallenges } from '../routes/discovery.ts';
import { assets } from './assets.ts';
import { idsBy, orProblem, outcomesOf, type ReadAnswers, saidReader } from './page-data.ts';
import { htmlHeaders, sendFresh, sendMarkdown, splitEnding, wantsJson } from './send.ts';
import { followingOf, takeAnonymous } from './session.ts';
import { siteFor, siteOf } from './site.ts';
import { challengeFinder } from './subjects.ts';
import { challengeMarkdown } from '../../records/record-markdown.ts';

export function mountChallengePages(app: FastifyInstance, parts: Parts): void {
  const { db, clock, view } = parts;
  const findId = challengeFinder(db);

  app.get<{ Querystring: Record<string, string> }>('/challenges', async (request) => {
    await takeAnonymous(parts, request);
    const { query } = request;
    const isJson = wantsJson(request);
    const resolved = isJson ? undefined : ['yes', 'no'].find((word) => word === query['resolved']);
    const found = await answerChallenges(
      parts,
      request.session?.caller.userId,
      query,
      resolved === undefined ? undefined : isResolved(resolved === 'yes'),
    );
    if (isJson) return found;
    const outcomes = await outcomesOf(parts, found.challenges);
    return challengesPage(siteFor(parts, request), { ...found, resolved, outcomes });
  });

  const readSaid = saidReader(parts);

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
    const { session, query } = request;
    const { name, form } = splitEnding(request.params.id, request);
    const standingOnly = form === 'html' && query.show === 'standing';
    const found = await answerChallenge(parts, await findId(name), query, { standingOnly });
    if (form === 'json') return found;
    const { id, question, closed } = found.challenge;
    if (form === 'markdown') {
      const { next_cursor: cursor } = found.page;
      const nextUrl = cursor && `${parts.baseUrl}/ch/${id}.md?cursor=${cursor}`;
      return sendMarkdown(request, reply, await challengeMarkdown(found, { nextUrl, drand: view.drand }));
    }
    const by = ANSWERS_BY.find((word) => word === query.by);
    const from = by ? Math.max(0, Number.parseInt(query.from ?? '0', 10) || 0) : 0;
    const isFirst = query.cursor === undefined && from === 0;
    const asked = parseQuestion(question);
    const isScored = isFirst && closed && asked.asks !== 'text';
    const score = isScored ? await orProblem(scoreChallenge(scoreContext(parts), id, 1)) : undefined;
    const scored = score && 'standings' in score ? score.standings.map(({ username }) => username) : [];
    const named = scored.length > 0 ? await listNames(db, scored) : [];
    const names = new Map(named.map((one) => [one.username, one.display_name]));
    const outcome = closed
      ? (await readOutcomes(db, [found.challenge], scoreContext(parts))).get(id)
      : undefined;
    const following = await followingOf(parts, request, 'challenge', id);
    const answers = await readSaid(found.challenge, found.counts);
    const ordered = by && answers?.said ? await pageBy(answers, by, from, found.page.limit) : undefined;
    if (ordered) found.etches = ordered.etches;
    const answered = session ? await findOwnEntry(db, id, session.caller.userId) : undefined;
    await mapInTimeSlices(found.etches, lengthOf, (etch) => drawAnswer(etch, asked));
    return challengePage(siteFor(parts, request), found, {
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
    });
  });

  app.get<{ Params: { id: string } }>('/ch/:id/embed', async (request, reply) => {
    const id = await findId(request.params.id);
    const { challenge, counts } = await answerChallenge(parts, id, { limit: '1' });
    const outcome = challenge.closed
      ? (await readOutcomes(db, [challenge], scoreContext(parts))).get(id)
      : undefined;
    const said = (await readSaid(challenge, counts))?.said;
    const files = assets().embed;
    void htmlHeaders(reply, embedPolicy(files));
    const page = challengeEmbedPage(siteOf(parts), { challenge, counts }, { said, outcome }, files);
    return sendFresh(request, reply, page);
  });

  async function pageBy(answers: ReadAnswers, by: AnswersBy, from: number, limit: number) {
    const ids = idsBy(answers, by);
    const etches = await etchViews(await findEtches(db, ids.slice(from, from + limit)), clock.now(), view);
    return { etches, next: from + limit < ids.length ? from + limit : null };
  }
}
