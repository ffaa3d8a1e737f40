import type { Etch } from '@svc/contract';
import { type Asked, forecastMisfit, isYesNo, readWords } from '@svc/protocol/conventions';
import { countText } from '../format.ts';
import { cutAtWord } from '../inert.ts';
import { authorLink } from './author.tsx';
import { cardList } from './drawn-card.tsx';
import { Erased, NotAnchored, StatusTag } from './tag.tsx';
import { onDay, safe } from './values.tsx';

const SHOWN = 700;
const WHOLE = 900;

export const { draw: drawAnswer, list: answerList } = cardList((etch: Etch, asked: Asked) => {
  const here = `/e/${etch.id}`;
  return (
    <article class={`card answer ${etch.status}`}>
      <h3>{authorLink(etch.author, etch.author.user_id)}</h3>
      {etch.content !== null && words(etch.content, asked, here)}
      <Erased etch={etch} />
      <p class="card-top">
        {etch.status !== 'revealed' && <StatusTag etch={etch} />}
        <NotAnchored etch={etch} />
        <a href={here}>
          {etch.status === 'revealed' ? 'The answer and its proof' : 'The sealed answer'}
          <span class="visually-hidden"> (by @{etch.author.username})</span>
        </a>
        <span class="quiet">{onDay(etch.created_on)}</span>
      </p>
    </article>
  );
});

function words(content: string, asked: Asked, here: string) {
  const read = readWords(content);
  if (read.kind !== 'forecast' || forecastMisfit(read, asked) !== null) return long(content, here, ' large');
  const isBinary = asked.asks === 'outcomes' && isYesNo(asked.outcomes);
  return (
    <>
      <p class="said-large">
        {read.form === 'quantiles'
          ? read.quantiles.map(({ level, value }) => (
              <span>
                <span class="quiet">{level} %: at most</span> {value}
              </span>
            ))
          : read.outcomes
              .filter(({ name }) => !isBinary || name === 'yes')
              .map(({ name, millionths }) => (
                <span>
                  {Number((millionths / 10_000).toFixed(4))} % <span class="quiet">{safe(name)}</span>
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
      <p class={`words${look}`}>
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
