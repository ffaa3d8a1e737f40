import type { Etch } from '@svc/contract';
import { describedTarget, readWords, VOID } from '@svc/protocol/conventions';
import { questionText } from './question-text.ts';
import { subjectOf } from './subject.ts';

const ANSWER = 'Sealed answer to: ';

/**
 * A description as a title. Machine-readable ones become words, and the service's description of an answer changes when the answer
 * opens; others are shown as written.
 */
export function titleOf(
  etch: Pick<Etch, 'description' | 'status' | 'challenge'> & Partial<Pick<Etch, 'content'>>,
): string {
  const { description, status, challenge } = etch;
  if (challenge && description.startsWith(ANSWER)) {
    // The description cuts a long question.
    const question = questionText(challenge.question ?? description.slice(ANSWER.length));
    return `${status === 'sealed' ? ANSWER : 'Answer to: '}${question}`;
  }
  if (describedTarget(description) === null) return description;
  const [, , ...rest] = description.split(' ');
  const about = subjectOf(etch)?.title ?? rest.join(' ').trim();
  return about === '' ? outcomeWords(etch.content) : `${outcomeWords(etch.content)}: ${about}`;
}

/** `Resolved yes`; without an outcome after a retraction. */
function outcomeWords(content: string | null | undefined): string {
  const words = readWords(content ?? '');
  if (words.kind !== 'resolution') return 'Resolution';
  return words.outcome === VOID ? 'Resolved as void' : `Resolved ${words.outcome}`;
}
