import { type CursorPage, type Etch, TOPIC_LABELS, type TopicId, type Watching } from '@svc/contract';
import { Narrow, renderPage } from '../layout.tsx';
import { AuthorLink } from '../parts/author.tsx';
import { Hidden } from '../parts/form.tsx';
import type { Page, Site } from '../site.ts';
import { countText } from '../format.ts';
import { CursorPager, List } from '../parts/lists.tsx';
import { withQuery } from '../links.ts';
import { EtchList } from '../parts/etch-card.tsx';
import { ChallengeList } from '../parts/challenge-card.tsx';
import type { ListOutcomes } from '../questions.ts';

interface FollowingData {
  accounts: readonly { user_id: string; username: string; display_name: string; kind: 'human' | 'agent' }[];
  topics: readonly TopicId[];
  counts: { accounts: number; challenges: number; etches: number };
}

const HERE = '/following';

export function followingPage(site: Site, { accounts, topics, counts }: FollowingData): Page {
  return renderPage(
    site,
    { title: 'Following', description: 'What you follow', unlisted: true, section: '/feed' },
    <div class="narrow">
      <header class="page-head">
        <h1>Following</h1>
        <p class="quiet">
          Accounts and topics that you follow come first in <a href="/feed">your feed</a>. The{' '}
          <a href="/watching">
            {countText(counts.etches, 'etch')} and {countText(counts.challenges, 'challenge')}
          </a>{' '}
          that you follow are under “Watching”. Nobody else sees what you follow.
        </p>
      </header>
      <section>
        <h2>{countText(counts.accounts, 'account')}</h2>
        <List
          kind="cards followed"
          of={accounts}
          empty={
            <>
              You follow no account. <a href="/search?in=accounts">Find some</a>, and follow them on their
              pages.
            </>
          }
        >
          {(account) => (
            <div class="card">
              <AuthorLink author={account} id={account.user_id} />
              <Unfollow type="user" id={account.user_id} what={`@${account.username}`} />
            </div>
          )}
        </List>
        {accounts.length < counts.accounts && (
          <p class="quiet">These are the accounts that you followed last. The API lists all.</p>
        )}
      </section>
      <section>
        <h2>{countText(topics.length, 'topic')}</h2>
        <List
          kind="cards followed"
          of={topics}
          empty="You follow no topic. Each topic’s page has a button for it."
        >
          {(id) => (
            <div class="card">
              <a href={`/topics/${id}`}>{TOPIC_LABELS[id]}</a>
              <Unfollow type="category" id={id} what={TOPIC_LABELS[id]} />
            </div>
          )}
        </List>
      </section>
    </div>,
  );
}

function Unfollow({ type, id, what }: { type: 'user' | 'category'; id: string; what: string }) {
  return (
    <form class="inline" method="post" action="/unfollow">
      <Hidden values={{ target_type: type, target_id: id, return: HERE }} />
      <button type="submit" class="secondary">
        Stop following<span class="visually-hidden"> {what}</span>
      </button>
    </form>
  );
}

interface FeedData {
  personalized: boolean;
  etches: readonly Etch[];
  page: CursorPage;
}

export function feedPage(
  site: Site,
  { personalized, etches, page }: FeedData,
  { isFirst }: { isFirst: boolean },
): Page {
  return renderPage(
    site,
    { title: 'Your feed', description: 'Your feed', unlisted: true, section: '/feed', islands: ['times.js'] },
    <div class="narrow">
      <header class="page-head">
        <h1>Your feed</h1>
        <p class="quiet">
          New etches and etches that just opened, ranked.{' '}
          {personalized
            ? 'What you follow comes first; accounts that nobody vouches for come last.'
            : 'Follow accounts and topics to see them first.'}{' '}
          <a href="/following">What you follow</a> · <a href="/search">All etches in order of time</a>
        </p>
      </header>
      <h2 class="visually-hidden">Etches</h2>
      <EtchList site={site} etches={etches} empty="Nothing has been etched lately." />
      <CursorPager
        first={isFirst ? null : '/feed'}
        next={page.next_cursor && withQuery('/feed', { cursor: page.next_cursor })}
        older="More"
      />
    </div>,
  );
}

export function watchingPage(site: Site, watching: Watching, outcomes?: ListOutcomes): Page {
  const { counts } = watching;
  return renderPage(
    site,
    {
      title: 'Watching',
      description: 'What you watch',
      unlisted: true,
      section: '/watching',
      islands: ['times.js'],
    },
    <Narrow heading="Watching" lead="The etches and challenges you follow, soonest to open first.">
      {counts.pending + counts.challenges + counts.settled === 0 ? (
        <Nothing />
      ) : (
        <Watched site={site} watching={watching} outcomes={outcomes} />
      )}
    </Narrow>,
  );
}

function Nothing() {
  return (
    <div class="empty">
      <p>You watch nothing yet.</p>
      <p>
        Follow an etch or a challenge on its page, and wait for it here:{' '}
        <a href="/search?status=sealed">sealed etches</a>, <a href="/challenges">open challenges</a>.
      </p>
    </div>
  );
}

type WatchedProps = { site: Site; watching: Watching; outcomes: ListOutcomes | undefined };

function Watched(props: WatchedProps) {
  const {
    site,
    watching: { pending, settled, challenges, counts },
    outcomes,
  } = props;
  return (
    <>
      <section>
        <h2>{countText(counts.pending, 'etch')} still sealed</h2>
        <EtchList
          site={site}
          etches={pending}
          empty="You follow no sealed etch. Follow one on its page, and wait for it here."
        />
      </section>
      <section>
        <h2>{countText(counts.challenges, 'challenge')}</h2>
        <ChallengeList challenges={challenges} outcomes={outcomes} empty="You follow no challenge." />
      </section>
      <section>
        <h2>{countText(counts.settled, 'etch')} open or retracted</h2>
        <EtchList site={site} etches={settled} empty="Nothing you follow has opened yet." />
      </section>
    </>
  );
}
