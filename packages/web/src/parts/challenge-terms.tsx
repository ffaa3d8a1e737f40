// What a challenge asks for, who resolves it and from which source: for readers before they sign in.
import { type AnswerFormat, isYesNo, parseQuestion } from '@svc/protocol/conventions';
import type { ComponentChildren } from 'preact';
import { partsOfQuestion, ruleOf } from '../etch-text.ts';
import { countText } from '../format.ts';
import { say } from './prose.tsx';
import { outsideLink, safe, sourceLink } from './values.tsx';

export const answerRow = (question: string) => ['Answer', answerWords(parseQuestion(question))] as const;

function answerWords(format: AnswerFormat) {
  if (format.asks === 'text') return 'Words of any kind. They are not scored.';
  if (format.asks === 'number')
    return say`
      ${countText(format.levels.length, 'value')} in **${safe(format.unit)}**: the number is at most
      ${format.levels.length === 1 ? 'this' : 'each of them'} with ${chances(format.levels)} chance.
    `;
  if (isYesNo(format.outcomes)) return say`The chance of **yes**, from 0 to 100 %.`;
  return (
    <>
      The chance of each outcome, 100 % in all:
      <ul class="chips names">
        {format.outcomes.map((name) => (
          <li>{safe(name)}</li>
        ))}
      </ul>
    </>
  );
}

const chances = (levels: readonly number[]): string =>
  new Intl.ListFormat('en-GB').format(levels.map((level) => `${level}\u00a0%`));

/** The criteria and the source that the author states, or that a question to resolve has none. */
export function partRows(question: string, isResolved = false) {
  const { criteria, source } = partsOfQuestion(question);
  const isFree = parseQuestion(question).asks === 'text' || ruleOf(question) !== null;
  return [
    ['Criteria', criteria !== '' ? safe(criteria) : !isFree && 'none given'],
    ['Source', source !== '' ? sourceLink(source) : !isFree && !isResolved && 'named with the resolution'],
  ] as const;
}

/** @param who resolves it */
export function resolvedByRow(question: string, who: ComponentChildren) {
  const rule = ruleOf(question);
  if (rule !== null)
    return [
      'Resolved by',
      say`a rule: the value at ~${rule.pointer}~ of ${outsideLink(rule.url)}`,
      rule.map !== null &&
        safe(` (${[...rule.map].map(([value, outcome]) => `${value}: ${outcome}`).join(', ')})`),
      say`. ${who} publishes the outcome.`,
    ] as const;
  return parseQuestion(question).asks === 'text'
    ? (['Outcome', 'none: readers judge the answers.'] as const)
    : (['Resolved by', say`${who}, after the challenge closes. The first resolution counts.`] as const);
}
