import type { Etch } from '@svc/contract';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { place } from '../drawn.ts';
import { blindSealOf } from '../sealed-by-author.ts';
import type { Site } from '../site.ts';
import { Glyph } from './glyph.tsx';
import { Round } from './round.tsx';
import { StatusTag } from './tag.tsx';
import { Text } from './text.tsx';
import { Day, Time } from './time.tsx';
import { erasedBy } from '../taken-down.ts';

interface CardOptions {
  site: Pick<Site, 'drand'>;
  showAuthor: boolean;
}

/** An etch in a list. What is sealed is not in it, for it is not in the view. */
function EtchCard({ etch, site, showAuthor }: CardOptions & { etch: Etch }): VNode {
  const seal = blindSealOf(etch, site);
  return (
    <article class={`card etch ${seal ? 'sealed' : etch.status}`}>
      <p class="card-top">
        <StatusTag status={etch.status} blind={seal !== undefined} />
        {etch.status !== 'retracted' && etch.chain.status !== 'anchored' && (
          <span class="tag pending">
            <Glyph name="pending" /> Not anchored yet
          </span>
        )}
        <a class="quiet" href={`/topics/${etch.category.id}`}>
          {etch.category.label}
        </a>
        <span class="quiet">
          <Day at={etch.created_on} />
        </span>
      </p>
      <h3>
        <a href={`/e/${etch.id}`}>
          <Text>{etch.description}</Text>
        </a>
      </h3>
      {seal && (
        <p class="hidden-words">
          Encrypted to <Round round={seal.round} chain={seal.chain} />, due <Time at={seal.due} />
        </p>
      )}
      {etch.content !== null && !seal && (
        <p class="words clamp">
          <Text>{etch.content}</Text>
        </p>
      )}
      {etch.status === 'sealed' && (
        <p class="hidden-words">
          Opens <Time at={etch.reveal_at} />
        </p>
      )}
      {etch.status === 'retracted' && (
        <p class="hidden-words">
          Erased {erasedBy(etch)} on <Day at={etch.retracted_at} />
        </p>
      )}
      {showAuthor && (
        <p class="byline">
          by <AuthorLink author={etch.author} />
        </p>
      )}
    </article>
  );
}

interface Drawn {
  showAuthor: boolean;
  html: string;
}

/** Cards that were drawn before the page they stand on. */
const drawn = new WeakMap<Etch, Drawn>();

/** Draws an etch's card ahead: a page of many long texts is drawn in portions, and its bytes are the same. */
export function drawEtchCard(
  etch: Etch,
  site: Pick<Site, 'drand'>,
  { showAuthor = true }: { showAuthor?: boolean } = {},
): void {
  const html = renderToString(<EtchCard etch={etch} site={site} showAuthor={showAuthor} />);
  drawn.set(etch, { showAuthor, html });
}

function EtchItem({ etch, site, showAuthor }: CardOptions & { etch: Etch }): VNode {
  const before = drawn.get(etch);
  if (before?.showAuthor === showAuthor)
    return <li dangerouslySetInnerHTML={{ __html: place(before.html) }} />;
  return (
    <li>
      <EtchCard etch={etch} site={site} showAuthor={showAuthor} />
    </li>
  );
}

export function AuthorLink({
  author,
}: {
  author: Pick<Etch['author'], 'username' | 'display_name'> &
    Partial<Pick<Etch['author'], 'kind' | 'verified' | 'official'>>;
}): VNode {
  return (
    <span class="author">
      <a href={`/u/${author.username}`}>
        <Text>{author.display_name}</Text> <span class="handle">@{author.username}</span>
      </a>
      {author.kind === 'agent' && <span class="badge">agent</span>}
      {author.official && <span class="badge">official</span>}
      {author.verified && <span class="badge">verified</span>}
    </span>
  );
}

export function EtchList({
  etches,
  site,
  empty,
  showAuthor = true,
}: {
  site: Pick<Site, 'drand'>;
  etches: readonly Etch[];
  empty: string;
  showAuthor?: boolean;
}): VNode {
  if (etches.length === 0) return <p class="empty">{empty}</p>;
  return (
    <ul class="cards">
      {etches.map((etch) => (
        <EtchItem etch={etch} site={site} showAuthor={showAuthor} />
      ))}
    </ul>
  );
}
