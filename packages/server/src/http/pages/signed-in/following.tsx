import {
  type CursorPage,
  type RecordUser,
  TOPIC_LABELS,
  type TopicId,
  type Watching,
  isTopicId,
  ROUTES,
} from '@svc/contract';
import { narrowPage } from '@svc/web/layout';
import { authorLink } from '@svc/web/parts/author';
import { ChallengeList } from '@svc/web/parts/challenge-card';
import { EtchList } from '@svc/web/parts/etch-card';
import { Button, PostForm } from '@svc/web/parts/form';
import { CursorPager, List, TopicLinks } from '@svc/web/parts/lists';
import { prose, say } from '@svc/web/parts/prose';
import type { Page, Site } from '@svc/web/site';
import type { ListOutcomes, ShownEtch } from '@svc/web/etch-text';
import { countText, withQuery } from '@svc/web/format';
import type { FastifyInstance } from 'fastify';
import { listFollowedAccounts } from '../../../notify/follows/inbox-store.ts';
import { listFollows, listWatching } from '../../../notify/follows/store.ts';
import type { HttpDependencies } from '../../dependencies.ts';
import { answerFeed } from '../../routes/discovery.ts';
import { outcomesOf, outcomesOfAnswered, withCards } from '../page-data.ts';
import { callerOf } from '../session.ts';
import { siteFor } from '../site.ts';

const ACCOUNTS_SHOWN = 300;

export function mountFollowingPages(pages: FastifyInstance, deps: HttpDependencies): void {
  const { db, clock, view, discovery } = deps;

  pages.get<{ Querystring: { limit?: string; cursor?: string } }>(
    '/feed',
    { schema: { querystring: ROUTES.getFeed.query } },
    async (request) => {
      const found = await answerFeed(discovery, callerOf(request).userId, request.query);
      const isFirst = request.query.cursor === undefined;
      const etches = await withCards(deps, found.etches);
      const outcomes = await outcomesOfAnswered(deps, etches);
      return feedPage(siteFor(deps, request), { ...found, etches, outcomes }, { isFirst });
    },
  );

  pages.get('/watching', async (request) => {
    const found = await listWatching(db, callerOf(request), clock.now(), view);
    const settled = await withCards(deps, [...found.pending, ...found.settled]);
    const pending = settled.splice(0, found.pending.length);
    const outcomes = await outcomesOf(deps, found.challenges);
    return watchingPage(siteFor(deps, request), { ...found, pending, settled }, outcomes);
  });

  pages.get('/following', async (request) => {
    const caller = callerOf(request);
    const { users, challenges, etches, categories } = await listFollows(db, caller);
    return followingPage(siteFor(deps, request), {
      accounts: await listFollowedAccounts(db, caller.userId, ACCOUNTS_SHOWN),
      topics: categories.filter(isTopicId),
      counts: { accounts: users.length, challenges: challenges.length, etches: etches.length },
    });
  });
}

interface FollowingData {
  accounts: readonly Pick<RecordUser, 'user_id' | 'username' | 'display_name' | 'kind'>[];
  topics: readonly TopicId[];
  counts: { accounts: number; challenges: number; etches: number };
}

function followingPage(site: Site, { accounts, topics, counts }: FollowingData): Page {
  return narrowPage(
    site,
    {
      title: 'Following',
      description: 'What you follow',
      quiet: say`
        Etches of accounts and topics that you follow rank higher in [your feed](/feed). The
        [${countText(counts.etches, 'etch')} and ${countText(counts.challenges, 'challenge')}](/watching) that
        you follow are under “Watching”. Nobody else sees what you follow.
      `,
      unlisted: true,
      section: '/feed',
    },
    <section>
      <h2>{countText(counts.accounts, 'account')}</h2>
      <List
        kind="cards followed"
        of={accounts}
        empty={say`You follow no account. [Find some](/search?in=accounts), and follow them on their pages.`}
      >
        {(account) => (
          <div class="card">
            {authorLink(account, account.user_id)}
            {unfollow('user', account.user_id, `@${account.username}`)}
          </div>
        )}
      </List>
      {accounts.length < counts.accounts && (
        <p class="quiet">These are the accounts that you followed last. The API lists all.</p>
      )}
    </section>,
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
            {unfollow('category', id, TOPIC_LABELS[id])}
          </div>
        )}
      </List>
    </section>,
  );
}

const unfollow = (type: 'user' | 'category', id: string, what: string) => (
  <PostForm
    class="inline"
    action="/unfollow"
    sends={{ target_type: type, target_id: id, return: '/following' }}
  >
    <Button kind="secondary">
      Stop following<span class="visually-hidden"> {what}</span>
    </Button>
  </PostForm>
);

interface FeedData {
  personalized: boolean;
  etches: readonly ShownEtch[];
  outcomes?: ListOutcomes | undefined;
  page: CursorPage;
}

export function feedPage(
  site: Site,
  { personalized, etches, outcomes, page }: FeedData,
  { isFirst }: { isFirst: boolean },
): Page {
  return narrowPage(
    site,
    {
      title: 'Your feed',
      quiet: say`
        New etches and etches that just opened.
        ${
          personalized
            ? 'Etches of accounts and topics that you follow rank higher.'
            : 'Follow accounts and topics, and their etches rank higher.'
        }
        [How the feed is ranked](/docs/feed)
      `,
      more: [
        <p>{say`[What you follow](/following), or [all etches in order of time](/search)`}</p>,
        !personalized && (
          <nav aria-label="Topics to follow">
            <TopicLinks />
          </nav>
        ),
      ],
      unlisted: true,
      section: '/feed',
      islands: ['times.js'],
    },
    <h2 class="visually-hidden">Etches</h2>,
    <EtchList
      site={site}
      etches={etches}
      outcomes={outcomes}
      empty={say`Nothing has been etched lately. [All etches](/search)`}
    />,
    <CursorPager
      first={isFirst ? null : '/feed'}
      next={page.next_cursor && withQuery('/feed', { cursor: page.next_cursor })}
      older="More"
    />,
  );
}

export function watchingPage(site: Site, watching: Watching, outcomes?: ListOutcomes): Page {
  const { pending, settled, challenges, counts } = watching;
  const open = challenges.filter(({ closed }) => !closed);
  const closed = challenges.filter((one) => one.closed).toReversed();
  const shown = pending.length + settled.length + challenges.length;
  const all = counts.pending + counts.settled + counts.challenges;
  return narrowPage(
    site,
    {
      title: 'Watching',
      description: 'What you watch',
      lead: 'The etches and challenges that you follow. The next to open come first, then the latest to open.',
      quiet: say`
        Accounts and topics are under [Following](/following). Find more to watch:
        [sealed etches](/search?status=sealed) and [open challenges](/challenges).
      `,
      unlisted: true,
      section: '/watching',
      islands: ['times.js'],
    },
    all === 0 ? (
      <div class="empty">
        {prose`
          You watch nothing yet.

          Follow an etch or a challenge on its page, and wait for it here:
          [sealed etches](/search?status=sealed), [open challenges](/challenges).
        `}
      </div>
    ) : (
      <>
        {counts.pending > 0 && (
          <section>
            <h2>{countText(counts.pending, 'etch')} still sealed</h2>
            <EtchList site={site} etches={pending} empty="" />
          </section>
        )}
        {open.length > 0 && (
          <section>
            <h2>{countText(open.length, 'challenge')} still open</h2>
            <ChallengeList challenges={open} empty="" />
          </section>
        )}
        {closed.length > 0 && (
          <section>
            <h2>{countText(closed.length, 'challenge')} closed</h2>
            <ChallengeList challenges={closed} outcomes={outcomes} empty="" />
          </section>
        )}
        {counts.settled > 0 && (
          <section>
            <h2>{countText(counts.settled, 'etch')} opened or erased</h2>
            <EtchList site={site} etches={settled.toReversed()} outcomes={outcomes} empty="" />
          </section>
        )}
        {shown < all && (
          <p class="quiet">
            This page has {shown.toLocaleString('en')} of the {all.toLocaleString('en')} that you follow.
          </p>
        )}
      </>
    ),
  );
}
