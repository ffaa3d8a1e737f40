import type { Etch } from '@svc/contract';
import { readWords } from '@svc/protocol/conventions';
import { renderToString } from 'preact-render-to-string';
import { place } from '../drawn.ts';
import { blindSealOf, canBeOpened } from '../blind-seal.ts';
import type { Site } from '../site.ts';
import { byline } from './author.tsx';
import { Erased, NotAnchored, StatusTag, Tag } from './tag.tsx';
import { subjectOf, titleOf } from '../title.ts';
import { shownWords, wordsText } from '../words-text.ts';
import { onDay, Hits, atTime } from './values.tsx';

interface CardOptions {
  site: Pick<Site, 'drand' | 'now'>;
  showAuthor: boolean;
  hit?: string | undefined;
}

function EtchCard({ etch, site, showAuthor, hit }: CardOptions & { etch: Etch }) {
  const seal = blindSealOf(etch, site);
  // A resolution is shown as its challenge or forecast, with the outcome.
  const subject = etch.status === 'revealed' ? subjectOf(etch) : undefined;
  return (
    <article class={`card etch ${seal ? 'sealed' : etch.status}`}>
      <p class="card-top">
        {subject ? (
          <Tag tone="revealed" glyph="pass">
            Resolved
          </Tag>
        ) : (
          <StatusTag etch={etch} blind={seal !== undefined} />
        )}
        <NotAnchored etch={etch} />
        <a class="quiet" href={`/topics/${etch.category.id}`}>
          {etch.category.label}
        </a>
        <span class="quiet">{onDay(etch.created_on)}</span>
      </p>
      <h3>
        <a href={subject?.path ?? `/e/${etch.id}`}>
          <Hits of={titleOf(etch)} hit={hit} />
        </a>
      </h3>
      {seal && (
        <p class="hidden-words">
          {canBeOpened(seal, site) ? 'Can be opened now' : <>Can be opened from {atTime(seal.due)}</>}
        </p>
      )}
      {etch.content !== null && !seal && (
        <CardWords content={etch.content} hit={hit} isTitled={subject !== undefined} />
      )}
      {subject && (
        <p>
          <a href={`/e/${etch.id}`}>This resolution, and its proof</a>
        </p>
      )}
      {etch.status === 'sealed' && <p class="hidden-words">Opens {atTime(etch.reveal_at)}</p>}
      <Erased etch={etch} />
      {showAuthor && byline(etch.author, etch.author.user_id)}
    </article>
  );
}

type CardWordsProps = { content: string; hit: string | undefined; isTitled: boolean };

function CardWords({ content, hit, isTitled }: CardWordsProps) {
  const { parts, rest } = isInHashes(content, hit) ? { parts: null, rest: content } : shownWords(content);
  const said = isTitled && parts !== null ? parts.slice(1) : parts;
  return (
    <>
      {said !== null && (
        <p class="in-numbers">
          {said.map((part, at) => (
            <>
              {at > 0 && ' · '}
              <span>
                <Hits of={part} hit={hit} />
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

function isInHashes(content: string, hit: string | undefined): boolean {
  if (hit === undefined || readWords(content).kind !== 'files') return false;
  const [raw, shown] = [content, wordsText(content)].map((text) => text.toLowerCase());
  return raw!.includes(hit.toLowerCase()) && !shown!.includes(hit.toLowerCase());
}

/** Only four lines fit, so empty lines are dropped. */
const EMPTY_LINES = /\n(?:[ \t\r]*\n)+/g;

interface Drawn {
  showAuthor: boolean;
  html: string;
}

const drawn = new WeakMap<Etch, Drawn>();

export function drawEtchCard(
  etch: Etch,
  site: Pick<Site, 'drand' | 'now'>,
  { showAuthor = true, hit }: { showAuthor?: boolean; hit?: string | undefined } = {},
): void {
  const html = renderToString(<EtchCard etch={etch} site={site} showAuthor={showAuthor} hit={hit} />);
  drawn.set(etch, { showAuthor, html });
}

function EtchItem({ etch, site, showAuthor }: CardOptions & { etch: Etch }) {
  const before = drawn.get(etch);
  if (before?.showAuthor === showAuthor)
    return <li dangerouslySetInnerHTML={{ __html: place(before.html) }} />;
  return (
    <li>
      <EtchCard etch={etch} site={site} showAuthor={showAuthor} />
    </li>
  );
}

interface EtchListProps {
  site: Pick<Site, 'drand' | 'now'>;
  etches: readonly Etch[];
  empty: string;
  showAuthor?: boolean;
  inPairs?: boolean;
}

export function EtchList({ etches, site, empty, showAuthor = true, inPairs = false }: EtchListProps) {
  if (etches.length === 0) return <p class="empty">{empty}</p>;
  return (
    <ul class={inPairs ? 'cards pairs' : 'cards'}>
      {etches.map((etch) => (
        <EtchItem etch={etch} site={site} showAuthor={showAuthor} />
      ))}
    </ul>
  );
}
