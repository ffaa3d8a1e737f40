import type { ChallengeListItem, Etch } from '@svc/contract';
import { renderPage } from '../layout.tsx';
import { Byline } from '../parts/author.tsx';
import { Done, Hidden, Submit } from '../parts/form.tsx';
import { Glyph } from '../parts/glyph.tsx';
import { TextLink, Time } from '../parts/values.tsx';
import { type ListOutcomes, outcomeText, questionText } from '../questions.ts';
import type { Page, Site } from '../site.ts';
import { takenDownFor } from '../taken-down.ts';
import { titleOf } from '../title.ts';
import { countText, ordinal } from '../format.ts';

interface InboxData {
  since: string;
  asOf: string;
  items: readonly {
    news: 'opened' | 'closed' | 'late' | 'retracted' | 'resolved';
    own: boolean;
    at: string;
    etch?: Etch;
    challenge?: ChallengeListItem;
    /** the etch that resolves the challenge, or the forecast in `etch` */
    resolution?: Etch;
  }[];
  more: boolean;
  followers: number;
}

export interface Rank {
  rank: number;
  of: number;
}

interface InboxBeside {
  seen: boolean;
  /** of the reader's own challenges */
  outcomes: ListOutcomes;
  ranks: ReadonlyMap<string, Rank>;
}

const SAID = {
  opened: { glyph: 'revealed', text: 'Opened' },
  closed: { glyph: 'revealed', text: 'Closed: its answers are open' },
  late: { glyph: 'pending', text: 'Anchored late: it proves only the later time' },
  retracted: { glyph: 'retracted', text: 'Retracted' },
  resolved: { glyph: 'pass', text: 'Resolved' },
} as const;

/** Events since the account last marked all as seen. */
export function inboxPage(
  site: Site,
  { since, asOf, items, more, followers }: InboxData,
  { seen, ...beside }: InboxBeside,
): Page {
  return renderPage(
    site,
    { title: 'Inbox', description: 'Since your last visit', unlisted: true, section: '/inbox' },
    <div class="narrow">
      <header class="page-head">
        <h1>Since your last visit</h1>
        <p class="quiet">
          What happened to your etches and challenges, and to those you follow, after <Time at={since} />.
        </p>
      </header>
      {seen && <Done>Marked as read. New events will appear here.</Done>}
      {items.length === 0 && followers === 0 ? (
        <div class="empty">
          <p>Nothing since then.</p>
          <p>
            See <a href="/watching">what you watch</a> or <a href="/feed">what is new</a>.
          </p>
        </div>
      ) : (
        <>
          {followers > 0 && <p class="named">{countText(followers, 'account')} began to follow you.</p>}
          <ul class="cards news">
            {items.map((item) => (
              <li>
                <article class="card">
                  <Item item={item} viewer={site.viewer?.username} {...beside} />
                </article>
              </li>
            ))}
          </ul>
          {more && <p class="quiet">Only the newest hundred are shown; your record has all.</p>}
          <form method="post" action="/inbox/seen">
            <Hidden values={{ as_of: asOf }} />
            <Submit>Mark all as read</Submit>
          </form>
        </>
      )}
      <p class="quiet">We store only when you last pressed this button.</p>
    </div>,
  );
}

type ItemProps = Omit<InboxBeside, 'seen'> & { item: InboxData['items'][number]; viewer: string | undefined };

function Item({ item: { news, own, at, etch, challenge, resolution }, viewer, outcomes, ranks }: ItemProps) {
  const { glyph, text } = SAID[news];
  const outcome = challenge && outcomes.get(challenge.id);
  const isToResolve = news === 'closed' && outcome?.state === 'open';
  const rank = challenge && ranks.get(challenge.id);
  const isOwn = etch === undefined ? outcome !== undefined : etch.author.username === viewer;
  const whose = isOwn ? 'yours' : own ? 'you take part' : 'followed';
  const isTakenDown = etch !== undefined && takenDownFor(etch) !== null;
  return (
    <>
      <p class="card-top">
        <span class={`tag ${glyph}`}>
          <Glyph name={glyph} />{' '}
          {news === 'retracted' && isTakenDown ? 'Taken down' : isToResolve ? 'Closed: resolve it' : text}
        </span>
        <span class="badge">{whose}</span>
        <span class="quiet">
          <Time at={at} />
        </span>
      </p>
      {challenge && (
        <h2>
          <TextLink href={`/ch/${challenge.id}`}>{questionText(challenge.question)}</TextLink>
        </h2>
      )}
      {etch && (
        <h2>
          <TextLink href={`/e/${etch.id}`}>{titleOf(etch)}</TextLink>
        </h2>
      )}
      {resolution && (
        <p>
          <TextLink href={`/e/${resolution.id}`}>{outcomeText(resolution, challenge?.question)}</TextLink>
          {rank && ` You ranked ${ordinal(rank.rank)} of ${rank.of}.`}
        </p>
      )}
      {challenge && isToResolve && (
        <p class="actions">
          <a class="button" href={`/ch/${challenge.id}/resolve`}>
            Say what came true
          </a>
        </p>
      )}
      {etch && !own && <Byline author={etch.author} id={etch.author.user_id} />}
    </>
  );
}
