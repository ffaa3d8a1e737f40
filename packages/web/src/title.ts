import type { Etch } from '@svc/contract';
import { describedTarget, readWords, VOID } from '@svc/protocol/conventions';
import { questionText } from './questions.ts';

export interface Subject {
  path: string;
  title: string;
  /** ` nights`, for an outcome that is a number */
  unit?: string;
}

const subjects = new WeakMap<object, Subject>();

/** Called before the page is rendered: an etch's public fields do not name it. */
export function noteSubject(resolution: Etch, subject: Subject): void {
  subjects.set(resolution, subject);
}

export const subjectOf = (resolution: object): Subject | undefined => subjects.get(resolution);

const ANSWER = 'Sealed answer to: ';

/** Machine-readable descriptions become words; the service's description of an answer changes when it opens. */
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
  const about = subjectOf(etch);
  if (about) return `${outcomeWords(etch.content, about.unit)}: ${about.title}`;
  // The author may not be the one who may resolve it.
  const [, , ...rest] = description.split(' ');
  const words = readWords(etch.content ?? '');
  const stated = words.kind === 'resolution' ? `Stated outcome: ${words.outcome}` : 'Resolution';
  const described = rest.join(' ').trim();
  if (described === '') return stated;
  return words.kind === 'resolution' ? `${stated} (${described})` : `${stated}: ${described}`;
}

function outcomeWords(content: string | null | undefined, unit = ''): string {
  const words = readWords(content ?? '');
  if (words.kind !== 'resolution') return 'Resolution';
  return words.outcome === VOID ? 'Resolved as void' : `Resolved ${words.outcome}${unit}`;
}
