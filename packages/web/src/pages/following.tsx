import { TOPIC_LABELS, type TopicId } from '@svc/contract';
import { renderPage } from '../layout.tsx';
import { AuthorLink } from '../parts/author.tsx';
import { Hidden } from '../parts/form.tsx';
import type { Page, Site } from '../site.ts';
import { countText } from '../format.ts';
import { List } from '../parts/lists.tsx';

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
