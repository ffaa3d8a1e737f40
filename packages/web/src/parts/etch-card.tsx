import type { Etch } from '@svc/contract';
import { type AnswerFormat, forecastMisfit, isYesNo, readWords } from '@svc/protocol/conventions';
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { blindSealOf, canBeOpened } from '../blind-seal.ts';
import { shownChance } from '../chance.ts';
import {
  type ListOutcomes,
  questionText,
  resolvedWords,
  type ShownEtch,
  shownWords,
  titleOf,
  unitOf,
  wordsText,
  writtenAt,
} from '../etch-text.ts';
import { countText } from '../format.ts';
import { cut, cutAtWord } from '../safe-text.ts';
import type { Site } from '../site.ts';
import { authorLink, byline, topicLink } from './author.tsx';
import { OpenTag } from './challenge-card.tsx';
import { rangeText, scoreOrReason } from './score-parts.tsx';
import { Erased, NotAnchored, StatusTag, Tag } from './tag.tsx';
import { atTime, hits, onDay, safe, Unit } from './values.tsx';
import { UNTRANSLATED } from '../untranslated.ts';

interface CardListProps {
  etches: readonly ShownEtch[];
  empty: ComponentChildren;
  kind?: string;
  card: (etch: ShownEtch) => VNode;
}

const CardList = ({ etches, empty, kind = 'cards', card }: CardListProps) =>
  etches.length === 0 ? (
    <p class="empty">{empty}</p>
  ) : (
    <ul class={kind}>{etches.map((etch) => cardItem(etch, card))}</ul>
  );

const cardItem = (etch: ShownEtch, card: CardListProps['card']) =>
  etch.card === undefined ? <li>{card(etch)}</li> : <li dangerouslySetInnerHTML={{ __html: etch.card }} />;

interface CardOptions {
  site: Pick<Site, 'drand' | 'now'>;
  showAuthor?: boolean;
  showTopic?: boolean;
  hit?: string | undefined;
  results?: CardResults | undefined;
}

/** Maps the id of a forecast to its outcome and score. */
export type CardResults = ReadonlyMap<
  string,
  Parameters<typeof scoreOrReason>[0] & { outcome: string | null; unit: string | null }
>;

function etchCard(etch: ShownEtch, { site, showAuthor = true, showTopic = true, hit, results }: CardOptions) {
  const result = results?.get(etch.id);
  const seal = blindSealOf(etch, site);
  // A resolution is shown as its challenge or forecast, with the outcome.
  const subject = etch.status === 'revealed' ? etch.subject : undefined;
  const here = `/e/${etch.id}`;
  return (
    <article class={`card etch ${seal ? 'sealed' : etch.status}`}>
      <p class="card-top">
        {subject && etch.chain.status === 'anchored' ? (
          <Tag tone="revealed" glyph="pass">
            Resolved
          </Tag>
        ) : (
          <StatusTag etch={etch} blind={seal !== undefined} resolved={result && resolvedText(result)} />
        )}
        <NotAnchored etch={etch} />
        {showTopic && topicLink(etch.category)}
        <span class="quiet">{daysOf(etch)}</span>
      </p>
      <h3>
        <a href={subject?.path ?? here}>{hits(titleOf(etch), hit)}</a>
      </h3>
      {seal && (
        <p class="hidden-words">
          {canBeOpened(seal, site) ? 'Can be opened now' : ['Can be opened from ', atTime(seal.due)]}
        </p>
      )}
      {etch.content !== null &&
        !seal &&
        cardWords({ ...etch, content: etch.content }, hit, subject !== undefined)}
      {result && resolvedText(result) !== undefined && <p class="quiet">Score: {scoreOrReason(result)}</p>}
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
}

const resolvedText = ({ outcome, unit }: { outcome: string | null; unit: string | null }) =>
  outcome === null ? undefined : resolvedWords(outcome, unit === null ? '' : ` ${unit}`);

/** An opened etch has two days, unless both are the same. */
const daysOf = (etch: Etch) => {
  const { status, created_on: day, reveal_at: opened } = etch;
  const written = onDay(writtenAt(etch));
  return status === 'revealed' && opened !== null && opened.slice(0, 10) !== day ? (
    <>
      opened {onDay(opened)}, written {written}
    </>
  ) : (
    written
  );
};

type Worded = Pick<ShownEtch, 'challenge' | 'subject'> & { content: string };

function cardWords(etch: Worded, hit: string | undefined, isTitled: boolean) {
  const { content } = etch;
  const { parts, rest } = isInHashes(content, hit)
    ? { parts: null, rest: content }
    : shownWords(content, etch);
  const numbers = isTitled && parts !== null ? parts.slice(1) : parts;
  return (
    <>
      {numbers !== null && (
        <p class="in-numbers">
          {numbers.map((part, at) => [at > 0 && ' · ', <span>{hits(part, hit)}</span>])}
        </p>
      )}
      {rest !== '' && (
        <p class="words clamp" {...UNTRANSLATED}>
          {hits(rest.replace(EMPTY_LINES, '\n'), hit)}
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

/** @returns the etch with its card rendered */
export const withEtchCard = (etch: ShownEtch, options: CardOptions): ShownEtch => ({
  ...etch,
  card: renderToString(etchCard(etch, options)),
});

type EtchListProps = CardOptions & {
  etches: readonly ShownEtch[];
  empty: ComponentChildren;
  inPairs?: boolean;
  /** Each challenge whose answers are one entry has its outcome here. */
  outcomes?: ListOutcomes | undefined;
};

export function EtchList({ etches, empty, inPairs, outcomes, ...options }: EtchListProps) {
  if (etches.length === 0) return <p class="empty">{empty}</p>;
  const card = (etch: ShownEtch) => etchCard(etch, options);
  // The record of one account has at most one answer to each challenge.
  const entries = options.showAuthor === false ? etches.map((etch) => [etch]) : answersByChallenge(etches);
  return (
    <ul class={inPairs ? 'cards pairs' : 'cards'}>
      {entries.map((entry) =>
        entry.length === 1 ? (
          cardItem(entry[0]!, card)
        ) : (
          <li>{answersCard(entry, { ...options, outcomes })}</li>
        ),
      )}
    </ul>
  );
}

/** Answers to one challenge and its resolution are one entry, in the place of the first. */
export function answersByChallenge(etches: readonly ShownEtch[]): ShownEtch[][] {
  const entries = new Map<string, ShownEtch[]>();
  const isAnswered = new Set(
    etches.flatMap(({ challenge, subject }) => (challenge && !subject ? challenge.id : [])),
  );
  for (const etch of etches) {
    const resolved = etch.subject?.path.replace('/ch/', '');
    const id = etch.subject ? resolved : etch.challenge?.id;
    const key = id !== undefined && isAnswered.has(id) ? id : etch.id;
    entries.set(key, [...(entries.get(key) ?? []), etch]);
  }
  return [...entries.values()];
}

type AnswersOptions = Pick<EtchListProps, 'hit' | 'showTopic' | 'outcomes'>;

function answersCard(entry: readonly ShownEtch[], { hit, showTopic = true, outcomes }: AnswersOptions) {
  const answers = entry.filter(({ subject }) => !subject);
  const [first] = answers as [ShownEtch, ...ShownEtch[]];
  const { status, category } = first;
  const { id, question } = first.challenge!;
  const shared = answers.every((one) => one.status === status) ? first : undefined;
  // Only the outcome says whether a resolution counts.
  const outcome = outcomes?.get(id);
  return (
    <article class={`card etch ${status}`}>
      <p class="card-top">
        {outcome ? (
          <OpenTag challenge={{ closed: true, question: question ?? '' }} outcome={outcome} />
        ) : (
          shared && <StatusTag etch={shared} />
        )}
        {showTopic && topicLink(category)}
        <span class="quiet">
          {countText(answers.length, 'answer')}
          {outcome?.state === 'resolved' && answers.length < entry.length && ' and the outcome'} below
        </span>
      </p>
      <h3>
        <a href={`/ch/${id}`}>{hits(questionText(question ?? ''), hit)}</a>
      </h3>
      <ul class="plain-list people">
        {entry.map((etch) => (
          <li>
            {authorLink(etch.author, etch.author.user_id)}{' '}
            <a href={`/e/${etch.id}`}>
              {saidBriefly(etch, hit)}
              <span class="visually-hidden"> (by @{etch.author.username})</span>
            </a>
          </li>
        ))}
      </ul>
    </article>
  );
}

const BRIEF = 80;

/** Shows where a search found words: in the numbers, or else in the text around the found words. */
function saidBriefly(etch: ShownEtch, hit: string | undefined) {
  const { content, status } = etch;
  if (content === null) return status === 'sealed' ? 'sealed' : 'erased';
  const { parts, rest } = shownWords(content, etch);
  const read = readWords(content);
  const numbers = numbersBriefly(etch, read, parts, hit);
  const at = hit === undefined ? -1 : rest.toLowerCase().indexOf(hit.toLowerCase());
  if (numbers === undefined) return hits(cut(around(rest, at), BRIEF), hit);
  const found = at >= 0 && cut(around(rest, at), BRIEF);
  return (
    <>
      {hits(cut(numbers, BRIEF), hit)}
      {found && [': ', hits(found, hit)]}
    </>
  );
}

function numbersBriefly(
  { challenge }: ShownEtch,
  read: ReturnType<typeof readWords>,
  parts: readonly string[] | null,
  hit: string | undefined,
): string | undefined {
  if (read.kind === 'forecast' && read.form === 'quantiles')
    return rangeText(read.quantiles, unitOf(challenge?.question ?? ''));
  if (hit !== undefined || parts === null) return parts?.join(' · ');
  if (read.kind === 'resolution') return parts[0];
  if (read.kind !== 'forecast' || parts.length === 1) return parts.join(' · ');
  const [likely] = read.outcomes.toSorted((a, b) => b.millionths - a.millionths);
  return `${likely!.name} ${shownChance(likely!.millionths)}`;
}

/** Begins a few words before `at`, so that a cut text still shows what was found. */
function around(text: string, at: number): string {
  if (at < BRIEF / 2) return text;
  const from = text.lastIndexOf(' ', at - BRIEF / 4) + 1;
  return from > 0 ? `…${text.slice(from)}` : text;
}

const SHOWN = 700;
const WHOLE = 900;

function answerCard(etch: Etch, format: AnswerFormat) {
  const here = `/e/${etch.id}`;
  return (
    <article class={`card answer ${etch.status}`}>
      <h3>{authorLink(etch.author, etch.author.user_id)}</h3>
      {etch.content !== null && words(etch.content, format, here)}
      <Erased etch={etch} />
      <p class="card-top">
        {etch.status === 'retracted' && <StatusTag etch={etch} />}
        <NotAnchored etch={etch} />
        {etch.status === 'sealed' ? (
          <a href={here}>
            <span class="visually-hidden">The sealed answer of @{etch.author.username}, </span>
            {onDay(writtenAt(etch))}
          </a>
        ) : (
          <>
            <a href={here}>
              {etch.status === 'revealed' ? 'The answer and its proof' : 'What is left of the answer'}
              <span class="visually-hidden"> (by @{etch.author.username})</span>
            </a>
            <span class="quiet">{onDay(writtenAt(etch))}</span>
          </>
        )}
      </p>
    </article>
  );
}

/** @returns the etch with its card as an answer rendered */
export const withAnswerCard = (etch: Etch, format: AnswerFormat): ShownEtch => ({
  ...etch,
  card: renderToString(answerCard(etch, format)),
});

type AnswerListProps = { etches: readonly ShownEtch[]; format: AnswerFormat; empty: string };

export const AnswerList = ({ etches, format, empty }: AnswerListProps) => (
  <CardList etches={etches} empty={empty} card={(etch) => answerCard(etch, format)} />
);

function words(content: string, format: AnswerFormat, here: string) {
  const read = readWords(content);
  if (read.kind !== 'forecast' || forecastMisfit(read, format) !== null)
    return long(wordsText(content), here, ' large');
  const isBinary = format.asks === 'outcomes' && isYesNo(format.outcomes);
  return (
    <>
      <p class="said-large">
        {read.form === 'quantiles'
          ? read.quantiles.map(({ level, value }) => (
              <span>
                <span class="quiet">{level} %: at most</span> {value}
                {format.asks === 'number' && <Unit of={format.unit} />}
              </span>
            ))
          : read.outcomes
              .filter(({ name }) => !isBinary || name === 'yes')
              .map(({ name, millionths }) => (
                <span>
                  {shownChance(millionths)} <span class="quiet">{safe(name)}</span>
                </span>
              ))}
      </p>
      {read.reasoning.trim() !== '' && long(read.reasoning, here)}
    </>
  );
}

function long(text: string, here: string, look = '') {
  const shown = [...text].length <= WHOLE ? text : cutAtWord(text, SHOWN);
  const isCut = shown.length < text.length;
  return (
    <>
      <p class={`words${look}`} {...UNTRANSLATED}>
        {safe(shown)}
        {isCut && '…'}
      </p>
      {isCut && (
        <p>
          <a href={here}>Read all {countText([...text].length, 'character')}</a>
        </p>
      )}
    </>
  );
}
