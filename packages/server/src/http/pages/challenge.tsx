import { parseQuestion } from '@svc/protocol/conventions';
import { type ChallengeCounts, ROUTES } from '@svc/contract';
import { challengeCard } from '@svc/web/cards/card';
import { challengeResult, challengeStatus } from '@svc/web/challenge-status';
import { forecastSentence } from '@svc/web/distribution-rows';
import { renderPage } from '@svc/web/layout';
import { challengeState } from '@svc/web/live-state';
import { OpenTag } from '@svc/web/parts/challenge-card';
import { authorLink, byline, topicLink } from '@svc/web/parts/author';
import { Distribution } from '@svc/web/parts/distribution';
import { FollowButton } from '@svc/web/parts/follow-button';
import { CursorPager } from '@svc/web/parts/lists';
import { Countdown, liveHost, LiveNote, StatusNotice } from '@svc/web/parts/status-notice';
import { atTime, facts, onDay, safe } from '@svc/web/parts/values';
import { isDevnet, type Page, type Site } from '@svc/web/site';
import { EmbedCode, ShareButton, shortAddress } from '@svc/web/parts/share';
import { questionText, ruleOf, type ShownEtch, stateTone, unitOf } from '@svc/web/etch-text';
import type { Answering, EtchDraft } from '@svc/web/parts/etch-draft';
import { answerRow, partRows, resolvedByRow } from '@svc/web/parts/challenge-terms';
import { countText, ordinal, timeText } from '@svc/web/format';
import { Glyph } from '@svc/web/parts/tag';
import { AnswerList, withAnswerCard } from '@svc/web/parts/etch-card';
import { ResolutionNote, resolveNote, Standings } from '@svc/web/parts/standings';
import { challengeFrame, preview } from '@svc/web/sharing/oembed';
import { challengeEmbedPage, embedPolicy } from '@svc/web/sharing/embed';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findOwnEntry } from '../../challenges/list-store.ts';
import { findEtches } from '../../etches/store.ts';
import { etchViews, lengthOf } from '../../etches/view.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { challengeMarkdown } from '../../records/record-markdown.ts';
import { resolvedAs } from '../../records/scores/resolution.ts';
import { scoreChallengeFor } from '../../records/scores/score.ts';
import { listNames } from '../../records/scores/store.ts';
import { type HttpDependencies, scoreContext } from '../dependencies.ts';
import { answerChallenge } from '../routes/discovery.ts';
import { answersOrder, ANSWERS_BY, type AnswersBy, orderHref, listHref } from './answers-order.tsx';
import { assets } from './assets.ts';
import {
  sortAnswerIds,
  orProblem,
  outcomeOf,
  resultOf,
  type ReadAnswers,
  answerDistributionReader,
} from './page-data.ts';
import { htmlHeaders, sendFresh, sendMarkdown, splitEnding } from './send.ts';
import { followingOf, takeAnonymous } from './session.ts';
import { siteFor, siteOf } from './site.ts';
import { challengeFinder } from './find-subject.ts';
import { AnswerForm, takesFiles } from './signed-in/answer-form.tsx';
import { draftOf } from './signed-in/etch-form.ts';

interface ChallengeQuery {
  sort?: string;
  limit?: string;
  cursor?: string;
  show?: string;
  by?: string;
  from?: string;
}

interface ChallengeRequest {
  Params: { id: string };
  Querystring: ChallengeQuery;
}

export function mountChallengePage(app: FastifyInstance, deps: HttpDependencies): void {
  const { db, view } = deps;
  const findId = challengeFinder(db);
  const readDistribution = answerDistributionReader(deps);
  const schema = { querystring: ROUTES.getChallenge.query };

  app.get<ChallengeRequest>('/ch/:id', { schema }, async (request, reply) => {
    const { name, form } = splitEnding(request.params.id, request);
    const standingOnly = form === 'html' && request.query.show === 'standing';
    const found = await answerChallenge(deps, await findId(name), request.query, { standingOnly });
    if (form === 'json') return found;
    if (form === 'markdown') {
      const { next_cursor: cursor } = found.page;
      const nextUrl = cursor && `${deps.baseUrl}/ch/${found.challenge.id}.md?cursor=${cursor}`;
      return sendMarkdown(request, reply, await challengeMarkdown(found, { nextUrl, drand: view.drand }));
    }
    const answers = await readDistribution(found.challenge, found.counts);
    const loaded = await load(deps, request, { found, answers });
    const format = parseQuestion(found.challenge.question);
    const etches = await mapInTimeSlices(loaded.etches, lengthOf, (etch) => withAnswerCard(etch, format));
    return challengePage(siteFor(deps, request), { ...found, etches }, { ...loaded, standingOnly });
  });

  app.get<{ Params: { id: string } }>('/ch/:id/embed', async (request, reply) => {
    const id = await findId(request.params.id);
    const { challenge, counts } = await answerChallenge(deps, id, { limit: '1' });
    const result = await resultOf(deps, request, challenge);
    const distribution = (await readDistribution(challenge, counts))?.distribution;
    const files = assets().embed;
    void htmlHeaders(reply, embedPolicy(files));
    const page = challengeEmbedPage(siteOf(deps), { challenge, counts }, { ...result, distribution }, files);
    return sendFresh(request, reply, page);
  });
}

interface Found {
  found: Awaited<ReturnType<typeof answerChallenge>>;
  answers: ReadAnswers | undefined;
}

async function load(
  deps: HttpDependencies,
  request: FastifyRequest<ChallengeRequest>,
  { found: { challenge, etches, page }, answers }: Found,
) {
  const { db } = deps;
  const { session, query } = request;
  const { id, question, closed } = challenge;
  const by = ANSWERS_BY.find((word) => word === query.by);
  const from = by ? Math.max(0, Number.parseInt(query.from ?? '0', 10) || 0) : 0;
  const isFirst = query.cursor === undefined && from === 0;
  const isScored = isFirst && closed && parseQuestion(question).asks !== 'text';
  if (isScored) await takeAnonymous(deps, request);
  // Read before the score, so that no page names an outcome that its standings do not know yet.
  const outcome = await outcomeOf(deps, challenge);
  const answered = session ? await findOwnEntry(db, id, session.caller.userId) : undefined;
  const own = answered && session?.caller.userId;
  const score = isScored
    ? await orProblem(scoreChallengeFor(scoreContext(deps, request), id, own))
    : undefined;
  const scored = score && 'standings' in score ? score.standings.map(({ username }) => username) : [];
  const first = score && 'resolution' in score ? score.resolution.first : null;
  const named = scored.length > 0 ? await listNames(db, scored) : [];
  const ordered =
    by && answers?.distribution ? await pageBy(deps, answers, { by, from, limit: page.limit }) : undefined;
  return {
    etches: ordered?.etches ?? etches,
    isFirst,
    score,
    rank: score && 'own' in score ? score.own : undefined,
    names: new Map(named.map((one) => [one.username, one.display_name])),
    outcome: first ? resolvedAs(first) : outcome,
    following: await followingOf(deps, request, 'challenge', id),
    distribution: isFirst ? answers?.distribution : undefined,
    kinds: answers?.distribution,
    by: ordered && { by: by!, next: ordered.next },
    answered,
    answering: !closed && !answered ? { id, question, topic: challenge.category.label } : undefined,
  };
}

async function pageBy(
  { db, clock, view }: HttpDependencies,
  answers: ReadAnswers,
  { by, from, limit }: { by: AnswersBy; from: number; limit: number },
) {
  const ids = sortAnswerIds(answers, by);
  const etches = await etchViews(await findEtches(db, ids.slice(from, from + limit)), clock.now(), view);
  return { etches, next: from + limit < ids.length ? from + limit : null };
}

type ChallengeData = Omit<Found['found'], 'etches'> & { etches: readonly ShownEtch[] };
type Loaded = Awaited<ReturnType<typeof load>>;
type ChallengeExtras = Pick<Loaded, 'isFirst'> & Partial<Loaded> & { standingOnly?: boolean };

export function challengePage(site: Site, data: ChallengeData, extras: ChallengeExtras): Page {
  const {
    isFirst,
    following,
    score,
    rank,
    names,
    outcome,
    distribution,
    answered,
    answering,
    standingOnly = false,
    by,
  } = extras;
  const { kinds = distribution } = extras;
  const { challenge, counts, sort, etches, page } = data;
  const here = `/ch/${challenge.id}` as const;
  const reveal = timeText(challenge.reveal_at);
  const retracted = counts.retracted + (counts.taken_down ?? 0);
  const ranked = score && !('problem' in score) ? score : undefined;
  const result = challengeResult(challenge.question, { outcome, score: ranked });
  const isScored = ranked !== undefined && ranked.counts.scored > 0;
  const isWaiting = stateTone(challenge, outcome) === 'pending';
  const said = distribution && forecastSentence(distribution);
  const shareRows = [
    shortAddress('Short link', challenge.short_url, here),
    ['On another site', <EmbedCode what="this challenge" code={challengeFrame(site, challenge)} />],
  ] as const;
  const question = challenge.closed && (
    <section>
      <h2>The question</h2>
      {facts(...termRows(data, outcome !== undefined && 'first' in outcome), ...shareRows)}
    </section>
  );
  const standings = (
    <div data-part="standings">
      {score && !isUndecided(score, outcome) && (
        <Standings score={score} names={names} viewer={site.viewer?.username} />
      )}
    </div>
  );
  // The standings list the answers, so their words are folded.
  const list = (
    <>
      {(counts.etches >= FEWEST_ORDERED || by || standingOnly || sort !== 'newest') &&
        answersOrder({ here, sort, standingOnly, retracted, by: by?.by, kinds })}
      <AnswerList
        etches={etches}
        format={parseQuestion(challenge.question)}
        empty={
          counts.etches > 0
            ? 'No answers here.'
            : challenge.closed
              ? 'No answers.'
              : 'Be the first to answer.'
        }
      />
      <CursorPager
        first={isFirst ? null : by ? orderHref(here, by.by) : listHref(here, sort, standingOnly)}
        next={
          by
            ? by.next !== null
              ? orderHref(here, by.by, by.next)
              : null
            : page.next_cursor && listHref(here, sort, standingOnly, page.next_cursor)
        }
        older={by ? 'More' : sort === 'newest' ? 'Older' : 'Newer'}
      />
    </>
  );
  const shared = preview(
    site,
    here,
    challengeCard(site, challenge, { counts, outcome, score: ranked, distribution }),
    [
      { type: 'application/json', href: `/api/v1/challenges/${challenge.id}` },
      { type: 'text/markdown', href: `${here}.md` },
    ],
  );
  return renderPage(
    site,
    {
      title: questionText(challenge.question),
      description:
        result ??
        (challenge.closed
          ? `Closed ${reveal}: ${countText(counts.etches, 'answer')}.`
          : `A sealed question: ${countText(counts.etches, 'answer')} so far, all open on ${reveal}.`),
      canonical: `${site.baseUrl}${here}`,
      ...shared,
      islands: [
        'copy.js',
        'live.js',
        'times.js',
        answering && 'compose.js',
        answering && takesFiles(answering) && 'files.js',
        answering && site.viewer && 'drafts.js',
      ],
      section: '/challenges',
    },
    <article
      class={answering ? 'wide asked' : 'narrow'}
      {...liveHost(here, challengeState(challenge, counts), !challenge.closed)}
    >
      <div>
        <header class="page-head">
          <p class="card-top" data-part="top">
            <OpenTag challenge={challenge} outcome={outcome} isSaid />
            {topicLink(challenge.category)}
            <span class="quiet">asked on {onDay(challenge.created_at)}</span>
          </p>
          <h1>{safe(questionText(challenge.question))}</h1>
          {byline(challenge.creator, challenge.creator_id)}
        </header>
        <div data-part="standing">
          <StatusNotice
            status={challengeStatus(challenge, counts, {
              result,
              said,
              devnet: isDevnet(site),
            })}
            isFolded
          >
            {!challenge.closed && (
              <>
                <p class="closes">
                  Closes <Countdown until={challenge.reveal_at} now={site.now} />
                </p>
                <p>
                  Answers are sealed: you see who answered, not what. All of them open at the same moment.
                </p>
                <p class="actions lesser">
                  {answering && (
                    <a class="button to-answer" href="#answer">
                      Answer
                    </a>
                  )}
                  <a href={`${here}/calendar.ics`}>Add the closing time to a calendar</a>
                </p>
              </>
            )}
            {answered && <OwnAnswer answered={answered} rank={rank} question={challenge.question} />}
            {outcome && 'first' in outcome && <ResolutionNote {...challenge} first={outcome.first} />}
            {outcome && resolveNote(challenge, outcome, site.viewer?.username === challenge.creator.username)}
          </StatusNotice>
        </div>
        {!challenge.closed && facts(...termRows(data))}
        <div class="actions lesser" data-part="actions">
          <ShareButton url={challenge.short_url} />
          <FollowButton site={site} following={following} back={here} what="this challenge" />
        </div>
      </div>
      {answering && <AnswerSection site={site} answering={answering} />}
      <div>
        <div data-part="said">
          {distribution && (
            <Distribution
              distribution={distribution}
              outcome={outcome}
              question={challenge.question}
              isSaid={result === undefined}
            />
          )}
        </div>
        {isWaiting && question}
        {isScored && standings}
        <section data-part="answers">
          <h2>{challenge.closed ? 'Answers' : 'Who has answered'}</h2>
          {isScored && isFirst && !by && sort === 'newest' && !standingOnly ? (
            <details open={counts.etches < FEWEST_ORDERED}>
              <summary>Every answer with its reasons</summary>
              {list}
            </details>
          ) : (
            list
          )}
        </section>
        {!isScored && standings}
        {!isWaiting && (question || facts(...shareRows))}
        <LiveNote />
      </div>
    </article>,
  );
}

/** The status of the page already says that the creator has not resolved it. */
const isUndecided = (score: NonNullable<Loaded['score']>, outcome: Loaded['outcome']): boolean =>
  outcome?.state === 'open' &&
  'resolution' in score &&
  score.resolution.corrections_total + score.resolution.taken_down_total === 0;

/** A shorter list needs no other order and is not folded. */
const FEWEST_ORDERED = 5;

interface OwnAnswerProps extends Pick<Loaded, 'rank'> {
  answered: NonNullable<Loaded['answered']>;
  question: string;
}

/** Each page of the list of answers shows it. Only the first page has the rank. */
function OwnAnswer({ answered, rank, question }: OwnAnswerProps) {
  return (
    <p class="answered">
      <Glyph name="pass" />
      <span>
        <strong>You answered</strong>
        {answered.retracted ? ', and the answer was erased: ' : ': '}
        <a href={`/e/${answered.id}`}>{answered.retracted ? 'what is left of it' : 'your answer'}</a>
        {rank && `. You ranked ${ordinal(rank.rank)} of ${rank.of.toLocaleString('en')}: `}
        {rank &&
          (rank.brier === null
            ? safe(`quantile loss ${rank.quantile_loss!.toFixed(2)}${unitOf(question)}.`)
            : `Brier score ${rank.brier.toFixed(2)}.`)}
      </span>
    </p>
  );
}

/** live.js removes it once the challenge closed. */
const AnswerSection = ({ site, answering }: { site: Site; answering: Answering }) => (
  <section class="card" aria-labelledby="answer" data-until-closed="">
    <h2 id="answer">Your answer</h2>
    <AnswerForm site={site} draft={draftFor(site, answering)} answering={answering} />
  </section>
);

/** Without an id for visitors, so that all of them get the same bytes. */
const draftFor = ({ viewer }: Site, { id }: Answering): EtchDraft => ({
  ...draftOf({ challenge_id: id }),
  ...(!viewer && { draft: '' }),
});

function termRows({ challenge, counts }: ChallengeData, isResolved = false) {
  const { closed, question } = challenge;
  return [
    answerRow(question),
    ...partRows(question, isResolved),
    (!isResolved || ruleOf(question) !== null) &&
      resolvedByRow(question, authorLink(challenge.creator, challenge.creator_id)),
    ['Closed', closed && atTime(challenge.reveal_at)],
    ['Answers so far', !closed && <span data-part="count">{countLine(counts)}</span>],
    ['Answers', closed && <span data-part="count">{countLine(counts)}</span>],
  ] as const;
}

function countLine({ etches, sealed, revealed, retracted, taken_down = 0 }: ChallengeCounts): string {
  const parts = [
    sealed > 0 && `${sealed.toLocaleString('en')} sealed`,
    revealed > 0 && `${revealed.toLocaleString('en')} public`,
    retracted > 0 && `${retracted.toLocaleString('en')} retracted`,
    taken_down > 0 && `${taken_down.toLocaleString('en')} taken down by the operator`,
  ].filter((part) => part !== false);
  if (parts.length < 2) return parts[0] ?? 'none';
  return `${etches.toLocaleString('en')}: ${parts.join(', ')}`;
}
