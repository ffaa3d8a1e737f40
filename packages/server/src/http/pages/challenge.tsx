import { parseQuestion } from '@svc/protocol/conventions';
import type { ChallengeScore, ChallengeCounts, ChallengeDetail, CursorPage, Etch } from '@svc/contract';
import { challengeCard } from '@svc/web/cards/card';
import { challengeResult, challengeStanding } from '@svc/web/challenge-standing';
import { renderPage } from '@svc/web/layout';
import { challengeState } from '@svc/web/live-state';
import { OpenTag } from '@svc/web/parts/challenge-card';
import { byline, topicLink } from '@svc/web/parts/author';
import { Distribution } from '@svc/web/parts/distribution';
import { FollowButton, type Following } from '@svc/web/parts/follow-button';
import { CursorPager } from '@svc/web/parts/lists';
import { Countdown, liveHost, LiveNote, StandingNotice } from '@svc/web/parts/standing';
import { atTime, facts, onDay, outsideLink, safe } from '@svc/web/parts/values';
import type { Said } from '@svc/web/said';
import type { Page, Site } from '@svc/web/site';
import { say } from '@svc/web/parts/prose';
import { shortAddress } from '@svc/web/parts/share';
import { questionText, ruleOf, type ShownOutcome } from '@svc/web/etch-text';
import { countText, timeText, withQuery } from '@svc/web/format';
import type { Scored } from '@svc/web/parts/score-parts';
import { Glyph } from '@svc/web/parts/tag';
import { AnswerList } from '@svc/web/parts/etch-card';
import { resolveNote, Standings } from '@svc/web/parts/standings';
import { preview } from '@svc/web/sharing/oembed';

type Sort = 'newest' | 'soonest';

/** Orders answers by value, from either end; `others` cannot be read as the question demands. */
export const ANSWERS_BY = ['highest', 'lowest', 'others'] as const;
export type AnswersBy = (typeof ANSWERS_BY)[number];

interface ChallengeData {
  challenge: ChallengeDetail;
  counts: ChallengeCounts;
  sort: Sort;
  etches: readonly Etch[];
  page: CursorPage;
}

interface ChallengeBeside {
  isFirst: boolean;
  following?: Following | undefined;
  score?: Scored<ChallengeScore> | undefined;
  names?: ReadonlyMap<string, string>;
  outcome?: ShownOutcome | undefined;
  said?: Said | undefined;
  answered?: { id: string; retracted: boolean } | undefined;
  standingOnly?: boolean;
  by?: { by: AnswersBy; next: number | null } | undefined;
  kinds?: Said | undefined;
}

export function challengePage(site: Site, data: ChallengeData, beside: ChallengeBeside): Page {
  const { isFirst, following, score, names, outcome, said, answered, standingOnly = false, by } = beside;
  const { kinds = said } = beside;
  const { challenge, counts, sort, etches, page } = data;
  const here = `/ch/${challenge.id}` as const;
  const reveal = timeText(challenge.reveal_at);
  const retracted = counts.retracted + (counts.taken_down ?? 0);
  const result = challengeResult(challenge.question, counts, { outcome, said: kinds });
  const isScored = score && !('problem' in score) && score.counts.scored > 0;
  const standings = <div data-part="standings">{score && <Standings score={score} names={names} />}</div>;
  // The standings list the answers, so their words are folded.
  const list = (
    <>
      {counts.etches > 1 && order({ here, sort, standingOnly, retracted, by: by?.by, kinds })}
      <AnswerList
        etches={etches}
        asked={parseQuestion(challenge.question)}
        empty={challenge.closed ? 'Nobody answered.' : 'Nobody has answered yet.'}
      />
      <CursorPager
        first={isFirst ? null : by ? byHref(here, by.by) : listHref(here, sort, standingOnly)}
        next={
          by
            ? by.next !== null
              ? byHref(here, by.by, by.next)
              : null
            : page.next_cursor && listHref(here, sort, standingOnly, page.next_cursor)
        }
        older={by ? 'More' : sort === 'newest' ? 'Older' : 'Newer'}
      />
    </>
  );
  const shared = preview(site, here, challengeCard(site, challenge, { counts, outcome }), [
    { type: 'application/json', href: `/api/v1/challenges/${challenge.id}` },
    { type: 'text/markdown', href: `${here}.md` },
  ]);
  return renderPage(
    site,
    {
      title: questionText(challenge.question),
      description: `${result ? result : challenge.closed ? `Closed ${reveal}: ${countText(counts.etches, 'answer')}` : `A sealed question: ${countText(counts.etches, 'answer')} so far, all open on ${reveal}`}.`,
      canonical: `${site.baseUrl}${here}`,
      ...shared,
      islands: ['copy.js', 'live.js', 'times.js'],
      section: '/challenges',
    },
    <article class="narrow" {...liveHost(here, challengeState(challenge, counts), !challenge.closed)}>
      <header class="page-head">
        <p class="card-top" data-part="top">
          <OpenTag closed={challenge.closed} />
          {topicLink(challenge.category)}
          <span class="quiet">asked on {onDay(challenge.created_at)}</span>
        </p>
        <h1>{safe(questionText(challenge.question))}</h1>
        {byline(challenge.creator, challenge.creator_id)}
      </header>
      <div data-part="standing">
        <StandingNotice standing={challengeStanding(challenge, counts, result)} isFolded>
          {!challenge.closed && (
            <p>
              <Countdown until={challenge.reveal_at} />
            </p>
          )}
        </StandingNotice>
        {outcome && resolveNote(challenge, outcome, site.viewer?.username === challenge.creator.username)}
        <div class="actions lesser">
          {answered ? (
            <p class="answered">
              <Glyph name="pass" />
              <span>
                <strong>You answered</strong>
                {answered.retracted ? ', and the answer was erased: ' : ': '}
                <a href={`/e/${answered.id}`}>{answered.retracted ? 'what is left of it' : 'your answer'}</a>
              </span>
            </p>
          ) : (
            !challenge.closed && (
              <a class="button" href={`/write?challenge=${challenge.id}`}>
                {site.viewer ? 'Answer it' : 'Sign in and answer it'}
              </a>
            )
          )}
          <FollowButton site={site} following={following} back={here} what="this challenge" />
        </div>
      </div>
      <LiveNote />
      {!challenge.closed && challengeFacts(data, here)}
      <div data-part="said">
        {said && <Distribution said={said} outcome={outcome} question={challenge.question} />}
      </div>
      {isScored && standings}
      <section data-part="answers">
        <h2>{challenge.closed ? 'Answers' : 'Who has answered'}</h2>
        {isScored && isFirst && !by && sort === 'newest' && !standingOnly ? (
          <details>
            <summary>Every answer with its reasons</summary>
            {list}
          </details>
        ) : (
          list
        )}
      </section>
      {!isScored && standings}
      {challenge.closed && challengeFacts(data, here)}
    </article>,
  );
}

function challengeFacts({ challenge, counts }: ChallengeData, here: string) {
  const { closed, short_url: url } = challenge;
  const rule = ruleOf(challenge.question);
  return facts(
    rule && [
      'Settled by',
      say`the value at ~${rule.pointer}~ of ${outsideLink(rule.url)}`,
      rule.map !== null &&
        safe(` (${[...rule.map].map(([value, outcome]) => `${value}: ${outcome}`).join(', ')})`),
    ],
    [
      closed ? 'Closed' : 'Closes',
      atTime(challenge.reveal_at, 'seconds'),
      !closed && [
        ' ',
        <a class="beside-time" href={`${here}/calendar.ics`}>
          Add it to a calendar
        </a>,
      ],
    ],
    ['Answers', <span data-part="count">{countLine(counts)}</span>],
    shortAddress('Short address', url, here),
  );
}

const listHref = (here: string, sort: Sort, standingOnly: boolean, cursor?: string): string =>
  withQuery(here, {
    sort: sort === 'newest' ? null : sort,
    show: standingOnly ? 'standing' : null,
    cursor,
  });

const byHref = (here: string, by: AnswersBy, from?: number): string =>
  withQuery(here, { by, from: from === undefined ? null : String(from) });

interface Ordering {
  here: string;
  sort: Sort;
  standingOnly: boolean;
  retracted: number;
  by: AnswersBy | undefined;
  kinds: Said | undefined;
}

function order({ here, sort, standingOnly, retracted, by, kinds }: Ordering) {
  const chip = (label: string, isChosen: boolean, href: string) => (
    <a href={`${href}#answers`} {...(isChosen && { 'aria-current': 'true' as const })}>
      {label}
    </a>
  );
  const inOrder = (label: string, of: Sort) =>
    chip(label, !by && sort === of, listHref(here, of, standingOnly));
  const byValue = (label: string, of: AnswersBy) => chip(label, by === of, byHref(here, of));
  const isPartly = kinds !== undefined && kinds.read < kinds.answers;
  const ofShares = kinds?.kind === 'outcomes';
  return (
    <nav class="tabs" id="answers" aria-label="Order of the answers">
      {inOrder('Newest first', 'newest')}
      {inOrder('Oldest first', 'soonest')}
      {kinds && !ofShares && [byValue('Highest first', 'highest'), byValue('Lowest first', 'lowest')]}
      {ofShares && isPartly && byValue('Only forecasts', 'highest')}
      {isPartly && byValue('Other answers', 'others')}
      {!by &&
        (retracted > 0 || standingOnly) && [
          chip('Show retracted', !standingOnly, listHref(here, sort, false)),
          chip('Hide retracted', standingOnly, listHref(here, sort, true)),
        ]}
    </nav>
  );
}

function countLine({ etches, sealed, revealed, retracted }: ChallengeCounts): string {
  const parts = [
    sealed > 0 && `${sealed.toLocaleString('en')} sealed`,
    revealed > 0 && `${revealed.toLocaleString('en')} public`,
    retracted > 0 && `${retracted.toLocaleString('en')} retracted`,
  ].filter((part) => part !== false);
  if (parts.length < 2) return parts[0] ?? 'none';
  return `${etches.toLocaleString('en')}: ${parts.join(', ')}`;
}
