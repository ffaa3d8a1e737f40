import type { ChallengeScore, ChallengeCounts, ChallengeDetail, CursorPage, Etch } from '@svc/contract';
import type { VNode } from 'preact';
import { withQuery } from '../links.ts';
import { challengeCard } from '../cards/card.ts';
import { challengeStanding } from '../challenge-standing.ts';
import { renderPage } from '../layout.tsx';
import { challengeState } from '../live-state.ts';
import { countText, OpenTag } from '../parts/challenge-card.tsx';
import { AuthorLink } from '../parts/author.tsx';
import { EtchList } from '../parts/etch-card.tsx';
import { Facts } from '../parts/facts.tsx';
import { FollowButton, type Following } from '../parts/follow-button.tsx';
import { QrCode } from '../parts/qr-code.tsx';
import { Countdown, liveHost, LiveNote } from '../parts/live.tsx';
import { CursorPager } from '../parts/pager.tsx';
import { StandingNotice } from '../parts/standing.tsx';
import { Standings } from '../parts/standings.tsx';
import { Text } from '../parts/text.tsx';
import { Day, Time } from '../parts/time.tsx';
import type { Scored } from '../parts/track-record.tsx';
import { preview } from '../sharing/preview.ts';
import { timeText } from '../time-text.ts';
import type { Page, Site } from '../site.ts';

export interface ChallengeData {
  challenge: ChallengeDetail;
  counts: ChallengeCounts;
  sort: 'newest' | 'soonest';
  etches: readonly Etch[];
  page: CursorPage;
}

export function challengePage(
  site: Site,
  data: ChallengeData,
  {
    isFirst,
    following,
    score,
  }: { isFirst: boolean; following?: Following | undefined; score?: Scored<ChallengeScore> | undefined },
): Page {
  const { challenge, counts, sort, etches, page } = data;
  const here = `/ch/${challenge.id}`;
  const reveal = timeText(challenge.reveal_at);
  const { picture, oembed } = preview(site, `/ch/${challenge.id}`, challengeCard(site, challenge, counts));
  return renderPage(
    site,
    {
      title: challenge.question,
      description: `${challenge.closed ? `Closed ${reveal}: ${countText(counts.etches, 'answer')}` : `A sealed question: ${countText(counts.etches, 'answer')} so far, all open on ${reveal}`}.`,
      canonical: `${site.baseUrl}${here}`,
      alternates: [
        { type: 'application/json', href: `/api/v1/challenges/${challenge.id}` },
        { type: 'text/markdown', href: `${here}.md` },
        oembed,
      ],
      picture,
      islands: ['copy.js', 'live.js'],
      section: '/challenges',
    },
    <article
      class="narrow"
      {...liveHost({
        url: `/ch/${challenge.id}/events`,
        state: challengeState(challenge, counts),
        said: challenge.closed ? 'closed' : countText(counts.etches, 'answer'),
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
          <Text>{challenge.question}</Text>
        </h1>
        <p class="byline">
          by <AuthorLink author={challenge.creator} id={challenge.creator_id} />
        </p>
      </header>
      <LiveNote />
      <div data-part="standing">
        <StandingNotice standing={challengeStanding(challenge, counts)}>
          {!challenge.closed && (
            <p>
              <Countdown until={challenge.reveal_at} />
            </p>
          )}
        </StandingNotice>
        <div class="actions lesser">
          {!challenge.closed && (
            <a class="button" href={`/write?challenge=${challenge.id}`}>
              {site.viewer ? 'Answer it' : 'Sign in and answer it'}
            </a>
          )}
          <FollowButton site={site} following={following} back={here} what="this challenge" />
        </div>
      </div>
      <Facts
        facts={[
          {
            label: challenge.closed ? 'Closed' : 'Closes',
            value: <Time at={challenge.reveal_at} precision="seconds" />,
          },
          { label: 'Answers', value: <span data-part="count">{countLine(counts)}</span> },
          {
            label: 'Short address',
            value: (
              <>
                <a href={challenge.short_url} data-copy="">
                  {challenge.short_url}
                </a>
                <QrCode src={`${here}/qr.svg`} of={challenge.short_url} />
              </>
            ),
          },
        ]}
      />
      <div data-part="standings">{score && <Standings score={score} />}</div>
      <section data-part="answers">
        <h2>{challenge.closed ? 'Answers' : 'Who has answered'}</h2>
        {counts.etches > 1 && <Order here={here} sort={sort} />}
        <EtchList
          site={site}
          etches={etches}
          empty={challenge.closed ? 'Nobody answered.' : 'Nobody has answered yet.'}
        />
        <CursorPager
          first={isFirst ? null : withQuery(here, { sort: sort === 'newest' ? null : sort })}
          next={
            page.next_cursor &&
            withQuery(here, { sort: sort === 'newest' ? null : sort, cursor: page.next_cursor })
          }
          older={sort === 'newest' ? 'Older' : 'Newer'}
        />
      </section>
    </article>,
  );
}

function Order({ here, sort }: { here: string; sort: 'newest' | 'soonest' }): VNode {
  return (
    <p class="order">
      {sort === 'newest' ? (
        <>
          <strong>Newest first</strong> · <a href={`${here}?sort=soonest`}>oldest first</a>
        </>
      ) : (
        <>
          <a href={here}>newest first</a> · <strong>Oldest first</strong>
        </>
      )}
    </p>
  );
}

function countLine({ etches, sealed, revealed, retracted }: ChallengeCounts): string {
  const parts = [
    sealed > 0 && `${sealed.toLocaleString('en')} sealed`,
    revealed > 0 && `${revealed.toLocaleString('en')} public`,
    retracted > 0 && `${retracted.toLocaleString('en')} retracted`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? 'none' : `${etches.toLocaleString('en')}: ${parts.join(', ')}`;
}
