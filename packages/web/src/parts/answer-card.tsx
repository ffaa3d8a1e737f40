import type { Etch } from '@svc/contract';
import { type Asked, forecastMisfit, isYesNo, readWords } from '@svc/protocol/conventions';
import { renderToString } from 'preact-render-to-string';
import { place } from '../drawn.ts';
import { cutAtWord } from '../inert.ts';
import { authorLink } from './author.tsx';
import { Erased, NotAnchored, StatusTag } from './tag.tsx';
import { onDay, safe } from './values.tsx';
import { countText } from '../format.ts';

const SHOWN = 700;
const WHOLE = 900;

function AnswerCard({ etch, asked }: { etch: Etch; asked: Asked }) {
  return (
    <article class={`card answer ${etch.status}`}>
      <h3>{authorLink(etch.author, etch.author.user_id)}</h3>
      {etch.content !== null && <Words content={etch.content} asked={asked} at={`/e/${etch.id}`} />}
      <Erased etch={etch} />
      <p class="card-top">
        {etch.status !== 'revealed' && <StatusTag etch={etch} />}
        <NotAnchored etch={etch} />
        <a href={`/e/${etch.id}`}>
          {etch.status === 'revealed' ? 'The answer and its proof' : 'The sealed answer'}
          <span class="visually-hidden"> (by @{etch.author.username})</span>
        </a>
        <span class="quiet">{onDay(etch.created_on)}</span>
      </p>
    </article>
  );
}

function Words({ content, asked, at }: { content: string; asked: Asked; at: string }) {
  const words = readWords(content);
  if (words.kind !== 'forecast' || forecastMisfit(words, asked) !== null)
    return <Long text={content} at={at} large />;
  const reasons = words.reasoning.trim() !== '' && <Long text={words.reasoning} at={at} />;
  if (words.form === 'quantiles')
    return (
      <>
        <p class="said-large">
          {words.quantiles.map(({ level, value }) => (
            <span>
              <span class="quiet">{level} %: at most</span> {value}
            </span>
          ))}
        </p>
        {reasons}
      </>
    );
  const isBinary = asked.asks === 'outcomes' && isYesNo(asked.outcomes);
  return (
    <>
      <p class="said-large">
        {words.outcomes
          .filter(({ name }) => !isBinary || name === 'yes')
          .map(({ name, millionths }) => (
            <span>
              {Number((millionths / 10_000).toFixed(4))} % <span class="quiet">{safe(name)}</span>
            </span>
          ))}
      </p>
      {reasons}
    </>
  );
}

function Long({ text, at, large = false }: { text: string; at: string; large?: boolean }) {
  const shown = [...text].length <= WHOLE ? text : cutAtWord(text, SHOWN);
  return (
    <>
      <p class={`words${large ? ' large' : ''}`}>
        {safe(shown)}
        {shown.length < text.length && '…'}
      </p>
      {shown.length < text.length && (
        <p>
          <a href={at}>Read all {countText([...text].length, 'character')}</a>
        </p>
      )}
    </>
  );
}

const drawn = new WeakMap<Etch, string>();

export function drawAnswer(etch: Etch, asked: Asked): void {
  drawn.set(etch, renderToString(<AnswerCard etch={etch} asked={asked} />));
}

type AnswerListProps = { etches: readonly Etch[]; asked: Asked; empty: string };

export function AnswerList({ etches, asked, empty }: AnswerListProps) {
  if (etches.length === 0) return <p class="empty">{empty}</p>;
  return (
    <ul class="cards">
      {etches.map((etch) => {
        const before = drawn.get(etch);
        return before === undefined ? (
          <li>
            <AnswerCard etch={etch} asked={asked} />
          </li>
        ) : (
          <li dangerouslySetInnerHTML={{ __html: place(before) }} />
        );
      })}
    </ul>
  );
}
