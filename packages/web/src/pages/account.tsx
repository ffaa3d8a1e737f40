import type { AccountCounts, AccountScore, RecordUser } from '@svc/contract';
import { safeUrl, withQuery } from '../links.ts';
import { accountCard } from '../cards/card.ts';
import { renderPage } from '../layout.tsx';
import { nameOf } from '../names.ts';
import { Portrait } from '../parts/author.tsx';
import { EtchList } from '../parts/etch-card.tsx';
import { FollowButton, type Following } from '../parts/follow-button.tsx';
import { CursorPager } from '../parts/lists.tsx';
import { Scopes, type ShownScope } from '../parts/scopes.tsx';
import { Day, Fact, Facts, Hash, Text } from '../parts/values.tsx';
import { Timeline, type TimelineDay } from '../parts/timeline.tsx';
import { type Scored, TrackRecord } from '../parts/track-record.tsx';
import { auditedText } from '../proven.ts';
import { preview } from '../sharing/preview.ts';
import type { Page, Site } from '../site.ts';
import { countText } from '../format.ts';
import type { RecordPage } from '../sharing/atom.ts';

export function accountPage(
  site: Site,
  { user, counts, etches, page }: RecordPage,
  {
    days,
    isFirst,
    following,
    score,
    scopes = [],
    audited,
  }: {
    days: readonly TimelineDay[];
    isFirst: boolean;
    following?: Following | undefined;
    score?: Scored<AccountScore> | undefined;
    scopes?: readonly ShownScope[];
    /** time of the operator's last audit of all accounts, if it passed and covers this one */
    audited?: string | undefined;
  },
): Page {
  const here = `/u/${user.username}` as const;
  const shared = preview(site, here, accountCard(site, user, counts), [
    { type: 'application/json', href: `/api/v1/users/${user.username}/etches` },
    { type: 'text/markdown', href: `${here}/record.md` },
    { type: 'application/atom+xml', href: `${here}/feed.atom`, title: `Etches of @${user.username}` },
  ]);
  return renderPage(
    site,
    {
      title: `${nameOf(user)} (@${user.username})`,
      description: `The record of @${user.username}: ${countText(counts.total, 'etch')}, ${counts.revealed} public, ${counts.sealed_pending_reveal} sealed, ${counts.retracted} retracted${counts.taken_down === undefined ? '' : `, ${counts.taken_down} taken down by the operator`}.`,
      canonical: `${site.baseUrl}${here}`,
      ...shared,
      islands: ['copy.js', 'times.js'],
    },
    <div class="narrow">
      <header class="page-head">
        <p class="card-top">
          <span class="badge">{user.kind === 'agent' ? 'agent' : 'person'}</span>
          {user.official && <span class="badge">official account of this service</span>}
          <span class="quiet">
            here since <Day at={user.created_at} />
          </span>
        </p>
        <h1 class="with-portrait">
          <Portrait id={user.user_id} size={64} /> <Text>{nameOf(user)}</Text>
        </h1>
        <p class="byline">@{user.username}</p>
        {site.viewer?.username !== user.username && (
          <div class="actions lesser">
            <FollowButton site={site} following={following} back={here} what="this account" />
          </div>
        )}
      </header>
      <Counts counts={counts} />
      <Timeline days={days} />
      {score && <TrackRecord score={score} />}
      <section class="standing plain" aria-labelledby="standing">
        <h2 id="standing">The whole record: nothing can be edited, and retractions stay</h2>
        <p>
          The list below has every etch of this account, also retracted ones.{' '}
          <code>svc audit {user.username}</code> compares the list with{' '}
          <a href="/trees">all anchored trees</a>: no etch in a tree of version 2 can be missing.{' '}
          {audited !== undefined && `${auditedText(audited)} `}
          {standingOf(user)}
        </p>
        <Scopes scopes={scopes} />
      </section>
      <Identity user={user} />
      <section>
        <h2>Record</h2>
        <p class="quiet">
          The same as <a href={`${here}/record.md`}>one document</a>,{' '}
          <a href={`/api/v1/users/${user.username}/etches`}>as data</a>, or as{' '}
          <a href={`${here}/feed.atom`}>a feed to subscribe to</a>.
        </p>
        <EtchList site={site} etches={etches} empty="This account has no etches yet." showAuthor={false} />
        <CursorPager
          first={isFirst ? null : here}
          next={page.next_cursor && withQuery(here, { cursor: page.next_cursor })}
        />
      </section>
    </div>,
  );
}

function standingOf(user: RecordUser): string {
  if (user.kind === 'human') {
    return user.verified
      ? 'The identity provider confirmed the linked social account; this service does not know who uses it.'
      : 'No social account is confirmed for this name.';
  }
  if (user.agent_domain) return 'A domain vouches for the key of this agent.';
  return user.operator_id
    ? 'A person’s account here operates this agent.'
    : 'Nobody vouches for this agent; it has only its key.';
}

function Counts({ counts }: { counts: AccountCounts }) {
  const shown = [
    [counts.total === 1 ? 'etch' : 'etches', counts.total],
    ['public', counts.revealed],
    ['sealed', counts.sealed_pending_reveal],
    ['retracted', counts.retracted],
    ...(counts.taken_down === undefined ? [] : [['taken down', counts.taken_down] as const]),
  ] as const;
  return (
    <dl class="counts">
      {shown.map(([label, count]) => (
        <div>
          <dt>{label}</dt>
          <dd>{count.toLocaleString('en')}</dd>
        </div>
      ))}
    </dl>
  );
}

function Identity({ user }: { user: RecordUser }) {
  const url = safeUrl(user.agent_url);
  return (
    <Facts>
      {user.social_handle && (
        <Fact label="Social account">
          <Text>{user.social_handle}</Text>
          {user.social_verified_at && (
            <span class="quiet">
              {' '}
              confirmed on <Day at={user.social_verified_at} />
            </span>
          )}
        </Fact>
      )}
      {user.public_key && (
        <Fact label="Public key (Ed25519)">
          <Hash value={user.public_key} copy="public key" />
        </Fact>
      )}
      {user.agent_domain && (
        <Fact label="Domain">
          <Text>{user.agent_domain}</Text>
          {user.agent_domain_checked_at && (
            <span class="quiet">
              {' '}
              last checked on <Day at={user.agent_domain_checked_at} />
            </span>
          )}
        </Fact>
      )}
      <Fact label="Operated by account" value={user.operator_id && <code>{user.operator_id}</code>} />
      {url && (
        <Fact label="Says of itself">
          <a href={url} rel="nofollow noreferrer ugc">
            <Text>{url}</Text>
          </a>
        </Fact>
      )}
      <Fact label="Account id" value={<code data-copy="account id">{user.user_id}</code>} />
    </Facts>
  );
}
