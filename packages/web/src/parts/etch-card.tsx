import type { Etch } from '@svc/contract';
import { readWords } from '@svc/protocol/conventions';
import { blindSealOf, canBeOpened } from '../blind-seal.ts';
import type { Site } from '../site.ts';
import { subjectOf, titleOf } from '../title.ts';
import { shownWords, wordsText } from '../words-text.ts';
import { byline, topicLink } from './author.tsx';
import { cardList } from './drawn-card.tsx';
import { Erased, NotAnchored, StatusTag, Tag } from './tag.tsx';
import { atTime, hits, onDay } from './values.tsx';

interface CardOptions {
  site: Pick<Site, 'drand' | 'now'>;
  showAuthor: boolean;
  hit?: string | undefined;
}

const cards = cardList((etch: Etch, { site, showAuthor, hit }: CardOptions) => {
  const seal = blindSealOf(etch, site);
  // A resolution is shown as its challenge or forecast, with the outcome.
  const subject = etch.status === 'revealed' ? subjectOf(etch) : undefined;
  const here = `/e/${etch.id}`;
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
        {topicLink(etch.category)}
        <span class="quiet">{onDay(etch.created_on)}</span>
      </p>
      <h3>
        <a href={subject?.path ?? here}>{hits(titleOf(etch), hit)}</a>
      </h3>
      {seal && (
        <p class="hidden-words">
          {canBeOpened(seal, site) ? 'Can be opened now' : ['Can be opened from ', atTime(seal.due)]}
        </p>
      )}
      {etch.content !== null && !seal && cardWords(etch.content, hit, subject !== undefined)}
      {subject && (
        <p>
          <a href={here}>This resolution, and its proof</a>
        </p>
      )}
      {etch.status === 'sealed' && <p class="hidden-words">Opens {atTime(etch.reveal_at)}</p>}
      <Erased etch={etch} />
      {showAuthor && byline(etch.author, etch.author.user_id)}
    </article>
  );
});

function cardWords(content: string, hit: string | undefined, isTitled: boolean) {
  const { parts, rest } = isInHashes(content, hit) ? { parts: null, rest: content } : shownWords(content);
  const said = isTitled && parts !== null ? parts.slice(1) : parts;
  return (
    <>
      {said !== null && (
        <p class="in-numbers">{said.map((part, at) => [at > 0 && ' · ', <span>{hits(part, hit)}</span>])}</p>
      )}
      {rest !== '' && <p class="words clamp">{hits(rest.replace(EMPTY_LINES, '\n'), hit)}</p>}
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

type DrawOptions = Partial<Pick<CardOptions, 'showAuthor' | 'hit'>>;

export const drawEtchCard = (etch: Etch, site: CardOptions['site'], options: DrawOptions = {}): void =>
  cards.draw(etch, { site, showAuthor: true, ...options });

type EtchListProps = Omit<CardOptions, 'showAuthor' | 'hit'> & {
  etches: readonly Etch[];
  empty: string;
  showAuthor?: boolean;
  inPairs?: boolean;
};

export const EtchList = ({ etches, site, empty, showAuthor = true, inPairs }: EtchListProps) =>
  cards.list(etches, { site, showAuthor }, { empty, ...(inPairs && { kind: 'cards pairs' }) });
