import type { Etch } from '@svc/contract';
import { type Forecast, readWords, type Words } from '@svc/protocol/conventions';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { place } from '../drawn.ts';
import { blindSealOf } from '../sealed-by-author.ts';
import type { Site } from '../site.ts';
import { AuthorLink } from './author.tsx';
import { countText } from './challenge-card.tsx';
import { Glyph } from './glyph.tsx';
import { Hits } from './hits.tsx';
import { Round } from './round.tsx';
import { StatusTag } from './tag.tsx';
import { Text } from './text.tsx';
import { Day, Time } from './time.tsx';
import { erasedBy } from '../taken-down.ts';
import { titleOf } from '../title.ts';

interface CardOptions {
  site: Pick<Site, 'drand'>;
  showAuthor: boolean;
  /** the search term, to be highlighted */
  hit?: string | undefined;
}

/** An etch in a list. Hidden fields cannot appear, because the public fields lack them. */
function EtchCard({ etch, site, showAuthor, hit }: CardOptions & { etch: Etch }): VNode {
  const seal = blindSealOf(etch, site);
  return (
    <article class={`card etch ${seal ? 'sealed' : etch.status}`}>
      <p class="card-top">
        <StatusTag etch={etch} blind={seal !== undefined} />
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
          <Hits of={titleWith(etch, hit)} hit={hit} />
        </a>
      </h3>
      {seal && (
        <p class="hidden-words">
          Encrypted to <Round round={seal.round} chain={seal.chain} />, due <Time at={seal.due} />
        </p>
      )}
      {etch.content !== null && !seal && <CardWords content={etch.content} hit={hit} />}
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
          by <AuthorLink author={etch.author} id={etch.author.user_id} />
        </p>
      )}
    </article>
  );
}

/** The raw words, if only they contain the search term. */
function titleWith(etch: Etch, hit: string | undefined): string {
  const title = titleOf(etch);
  const holds = (text: string): boolean => text.toLowerCase().includes((hit ?? '').toLowerCase());
  return holds(etch.description) && !holds(title) ? etch.description : title;
}

/** The readable form of a convention, for example a forecast; the term is highlighted in the raw words. */
function CardWords({ content, hit }: { content: string; hit: string | undefined }): VNode {
  const words = readWords(content);
  const said = hit === undefined ? inShort(words) : null;
  const rest = said === null ? content : 'reasoning' in words ? words.reasoning.trim() : '';
  return (
    <>
      {said !== null && (
        <p class="in-numbers">
          {said.map((part, at) => (
            <>
              {at > 0 && ' · '}
              <span>
                <Text>{part}</Text>
              </span>
            </>
          ))}
        </p>
      )}
      {rest !== '' && (
        <p class="words clamp">
          <Hits of={rest.replace(EMPTY_LINES, '\n')} hit={hit} />
        </p>
      )}
    </>
  );
}

/** Four lines fit, so none of them is empty. */
const EMPTY_LINES = /\n(?:[ \t\r]*\n)+/g;

/** The content of words that follow a convention; null for a text. */
function inShort(words: Words): string[] | null {
  switch (words.kind) {
    case 'forecast':
      return inNumbers(words);
    case 'resolution':
      return [`Came true: ${words.outcome}`, `Source: ${words.source}`];
    case 'files':
      return words.form === 'root'
        ? [countText(words.count, 'file')]
        : [countText(words.files.length, 'file'), ...words.files.map(({ name }) => name)];
    case 'log':
      return [`Log of ${countText(words.lines, 'line')}`];
    case 'scope':
      return [`Scope: ${words.subject}`, countText(words.accounts.length + 1, 'account')];
    case 'text':
      return null;
  }
}

const inNumbers = (words: Forecast): string[] =>
  words.form === 'outcomes'
    ? words.outcomes.map(({ name, millionths }) => `${name} ${Number((millionths / 10_000).toFixed(4))} %`)
    : words.quantiles.map(({ level, value }) => `${level} % at most ${value}`);

interface Drawn {
  showAuthor: boolean;
  html: string;
}

/** Cards that were drawn before their page. */
const drawn = new WeakMap<Etch, Drawn>();

/** Draws a card in advance: a page of many long texts is drawn in time slices, with the same bytes. */
export function drawEtchCard(
  etch: Etch,
  site: Pick<Site, 'drand'>,
  { showAuthor = true, hit }: { showAuthor?: boolean; hit?: string | undefined } = {},
): void {
  const html = renderToString(<EtchCard etch={etch} site={site} showAuthor={showAuthor} hit={hit} />);
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

export function EtchList({
  etches,
  site,
  empty,
  showAuthor = true,
  inPairs = false,
}: {
  site: Pick<Site, 'drand'>;
  etches: readonly Etch[];
  empty: string;
  showAuthor?: boolean;
  /** in two columns where there is room */
  inPairs?: boolean;
}): VNode {
  if (etches.length === 0) return <p class="empty">{empty}</p>;
  return (
    <ul class={inPairs ? 'cards pairs' : 'cards'}>
      {etches.map((etch) => (
        <EtchItem etch={etch} site={site} showAuthor={showAuthor} />
      ))}
    </ul>
  );
}
