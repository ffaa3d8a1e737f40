import { parseQuestion } from '@svc/protocol/conventions';
import type { ChallengeScore, ChallengeCounts, ChallengeDetail, CursorPage, Etch } from '@svc/contract';
import { withQuery } from '../links.ts';
import { challengeCard } from '../cards/card.ts';
import { challengeResult, challengeStanding } from '../challenge-standing.ts';
import { renderPage } from '../layout.tsx';
import { challengeState } from '../live-state.ts';
import { OpenTag } from '../parts/challenge-card.tsx';
import { AnswerList } from '../parts/answer-card.tsx';
import { Byline } from '../parts/author.tsx';
import { Distribution } from '../parts/distribution.tsx';
import { Glyph } from '../parts/glyph.tsx';
import { FollowButton, type Following } from '../parts/follow-button.tsx';
import { CursorPager } from '../parts/lists.tsx';
import { Countdown, liveHost, LiveNote, StandingNotice } from '../parts/standing.tsx';
import { Standings } from '../parts/standings.tsx';
import { Day, Fact, Facts, Text, Time } from '../parts/values.tsx';
import type { Scored } from '../parts/track-record.tsx';
import { questionText, ruleOf, type ShownOutcome } from '../questions.ts';
import type { Said } from '../said.ts';
import { preview } from '../sharing/preview.ts';
import { countText, timeText } from '../format.ts';
import type { Page, Site } from '../site.ts';
import { ResolveNote } from '../parts/outcome-line.tsx';
import { QrCode } from '../parts/share.tsx';

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

export function challengePage(
  site: Site,
  data: ChallengeData,
  {
    isFirst,
    following,
    score,
    names,
    outcome,
    said,
    answered,
    standingOnly = false,
    by,
    kinds = said,
  }: ChallengeBeside,
): Page {
  const { challenge, counts, sort, etches, page } = data;
  const here = `/ch/${challenge.id}`;
  const reveal = timeText(challenge.reveal_at);
  const result = challengeResult(challenge.question, counts, { outcome, said: kinds });
  const isScored = score && !('problem' in score) && score.counts.scored > 0;
  const standings = <div data-part="standings">{score && <Standings score={score} names={names} />}</div>;
  // The standings list the answers, so their words are folded.
  const answers = (
    <>
      {counts.etches > 1 && (
        <Order
          here={here}
          sort={sort}
          standingOnly={standingOnly}
          retracted={counts.retracted + (counts.taken_down ?? 0)}
          by={by?.by}
          kinds={kinds}
        />
      )}
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
  const shared = preview(site, `/ch/${challenge.id}`, challengeCard(site, challenge, { counts, outcome }), [
    { type: 'application/json', href: `/api/v1/challenges/${challenge.id}` },
    { type: 'text/markdown', href: `${here}.md` },
  ]);
  return renderPage(
    site,
    {
      title: questionText(challenge.question),
      description: `${result ? `${result}` : challenge.closed ? `Closed ${reveal}: ${countText(counts.etches, 'answer')}` : `A sealed question: ${countText(counts.etches, 'answer')} so far, all open on ${reveal}`}.`,
      canonical: `${site.baseUrl}${here}`,
      ...shared,
      islands: ['copy.js', 'live.js', 'times.js'],
      section: '/challenges',
    },
    <article
      class="narrow"
      {...liveHost({
        url: `/ch/${challenge.id}/events`,
        state: challengeState(challenge, counts),
        waits: !challenge.closed,
      })}
    >
      <header class="page-head">
        <p class="card-top" data-part="top">
          <OpenTag closed={challenge.closed} />
          <a class="quiet" href={`/topics/${challenge.category.id}`}>
            {challenge.category.label}
          </a>
          <span class="quiet">
            asked on <Day at={challenge.created_at} />
          </span>
        </p>
        <h1>
          <Text>{questionText(challenge.question)}</Text>
        </h1>
        <Byline author={challenge.creator} id={challenge.creator_id} />
      </header>
      <div data-part="standing">
        <StandingNotice standing={challengeStanding(challenge, counts, result)} isFolded>
          {!challenge.closed && (
            <p>
              <Countdown until={challenge.reveal_at} />
            </p>
          )}
        </StandingNotice>
        {outcome && (
          <ResolveNote
            challenge={challenge}
            outcome={outcome}
            isCreator={site.viewer?.username === challenge.creator.username}
          />
        )}
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
      {!challenge.closed && <ChallengeFacts data={data} here={here} />}
      <div data-part="said">
        {said && <Distribution said={said} outcome={outcome} question={challenge.question} />}
      </div>
      {isScored && standings}
      <section data-part="answers">
        <h2>{challenge.closed ? 'Answers' : 'Who has answered'}</h2>
        {isScored && isFirst && !by && sort === 'newest' && !standingOnly ? (
          <details>
            <summary>Every answer with its reasons</summary>
            {answers}
          </details>
        ) : (
          answers
        )}
      </section>
      {!isScored && standings}
      {challenge.closed && <ChallengeFacts data={data} here={here} />}
    </article>,
  );
}

function ChallengeFacts({ data, here }: { data: ChallengeData; here: string }) {
  const { challenge, counts } = data;
  const rule = ruleOf(challenge.question);
  return (
    <Facts>
      {rule && (
        <Fact label="Settled by">
          the value at <code>{rule.pointer}</code> of{' '}
          <a href={rule.url} rel="nofollow noreferrer ugc">
            <Text>{rule.url}</Text>
          </a>
          {rule.map !== null && (
            <Text>{` (${[...rule.map].map(([value, outcome]) => `${value}: ${outcome}`).join(', ')})`}</Text>
          )}
        </Fact>
      )}
      <Fact label={challenge.closed ? 'Closed' : 'Closes'}>
        <Time at={challenge.reveal_at} precision="seconds" />
        {!challenge.closed && (
          <>
            {' '}
            <a class="beside-time" href={`${here}/calendar.ics`}>
              Add it to a calendar
            </a>
          </>
        )}
      </Fact>
      <Fact label="Answers" value={<span data-part="count">{countLine(counts)}</span>} />
      <Fact label="Short address">
        <a href={challenge.short_url} data-copy="short link">
          {challenge.short_url}
        </a>
        <QrCode src={`${here}/qr.svg`} of={challenge.short_url} />
      </Fact>
    </Facts>
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

interface OrderProps {
  here: string;
  sort: Sort;
  standingOnly: boolean;
  retracted: number;
  by: AnswersBy | undefined;
  kinds: Said | undefined;
}

function Order({ here, sort, standingOnly, retracted, by, kinds }: OrderProps) {
  const chip = (label: string, isChosen: boolean, href: string) => (
    <a href={`${href}#answers`} {...(isChosen && { 'aria-current': 'true' as const })}>
      {label}
    </a>
  );
  return (
    <nav class="tabs" id="answers" aria-label="Order of the answers">
      {chip('Newest first', !by && sort === 'newest', listHref(here, 'newest', standingOnly))}
      {chip('Oldest first', !by && sort === 'soonest', listHref(here, 'soonest', standingOnly))}
      {kinds && kinds.kind !== 'outcomes' && (
        <>
          {chip('Highest first', by === 'highest', byHref(here, 'highest'))}
          {chip('Lowest first', by === 'lowest', byHref(here, 'lowest'))}
        </>
      )}
      {kinds &&
        kinds.kind === 'outcomes' &&
        kinds.read < kinds.answers &&
        chip('Only forecasts', by === 'highest', byHref(here, 'highest'))}
      {kinds && kinds.read < kinds.answers && chip('Other answers', by === 'others', byHref(here, 'others'))}
      {!by && (retracted > 0 || standingOnly) && (
        <>
          {chip('Show retracted', !standingOnly, listHref(here, sort, false))}
          {chip('Hide retracted', standingOnly, listHref(here, sort, true))}
        </>
      )}
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
