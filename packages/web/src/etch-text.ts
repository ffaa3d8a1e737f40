import { type Etch, type TakedownReason, withoutImpersonation } from '@svc/contract';
import {
  describedTarget,
  type Forecast,
  isYesNo,
  parseQuestion,
  parseSettleRule,
  readWords,
  type SettleRule,
  VOID,
  type Words,
} from '@svc/protocol/conventions';
import { roundChance, shownChance } from './chance.ts';
import { countText } from './format.ts';
import { type QuestionParts, questionParts } from './question-text.ts';

export type ShownOutcome =
  | { state: 'resolved' | 'void'; first: ShownResolution }
  | { state: 'pending'; etchId: string; outcome: string }
  | { state: 'retracted' }
  | { state: 'open' };

/** What a page of lists leaves out is absent. */
export interface ShownResolution {
  etch_id: string;
  outcome: string;
  username?: string;
  source?: string;
  attested_at?: string;
}

export type ListOutcomes = ReadonlyMap<string, ShownOutcome>;

/** `Resolved: yes` or `Resolved: 8 nights`; `unit` begins with a space. */
export const resolvedWords = (value: string, unit = ''): string =>
  value === VOID ? 'Resolved as void' : `Resolved: ${value}${unit}`;

/** Undefined without an outcome that counts. */
function outcomeWords(outcome: ShownOutcome | undefined, question: string): string | undefined {
  if (!outcome || !('first' in outcome)) return undefined;
  return resolvedWords(outcome.first.outcome, unitOf(question));
}

interface Asked {
  closed: boolean;
  question: string;
}

/** `Open`, `Closed, not resolved` or `Resolved: yes`. A text is only open or closed. */
export function stateWords({ closed, question }: Asked, outcome: ShownOutcome | undefined): string {
  if (!closed) return 'Open';
  const isText = parseQuestion(question).asks === 'text';
  return outcomeWords(outcome, question) ?? (isText ? 'Closed' : 'Closed, not resolved');
}

/** Green only if no outcome is missing. */
export const stateTone = ({ closed, question }: Asked, outcome: ShownOutcome | undefined) =>
  !closed
    ? 'sealed'
    : (outcome && 'first' in outcome) || parseQuestion(question).asks === 'text'
      ? 'revealed'
      : 'pending';

/** `8 nights`; `void` has no unit. */
export const outcomeValue = (value: string, unit = ''): string => (value === VOID ? value : value + unit);

/** ` nights`, to follow a number; empty if the question names no unit. */
export function unitOf(question: string): string {
  const format = parseQuestion(question);
  return format.asks === 'number' ? ` ${format.unit}` : '';
}

export function outcomeText(etch: Etch, question = ''): string {
  if (etch.status === 'retracted')
    return takenDownFor(etch) === null
      ? 'The resolution was retracted: the question stays unresolved.'
      : 'The resolution was taken down.';
  const { content } = etch;
  const words = readWords(content ?? '');
  if (words.kind !== 'resolution') return 'Resolved.';
  return `${resolvedWords(words.outcome, unitOf(question))}.`;
}

/** The day alone if the exact time is hidden. */
export const writtenAt = ({ created_at: at, created_on: day }: Pick<Etch, 'created_at' | 'created_on'>) =>
  at ?? day;

/** Leaves out criteria, source, brackets and the rule, which the challenge's page shows. */
export const questionText = (question: string): string => partsOfQuestion(question).text || question;

export function partsOfQuestion(question: string): QuestionParts {
  if (parseQuestion(question).asks === 'text') return questionParts(question);
  const asked = question.replace(/\s*\[[^[\]]*\]\s*$/, '');
  return questionParts(ruleOf(question) === null ? asked : asked.replace(/(?:^|\s+)settles-by:.*$/s, ''));
}

/** Null also for a malformed rule, which settles nothing. */
export function ruleOf(question: string): SettleRule | null {
  try {
    return parseSettleRule(question);
  } catch {
    return null;
  }
}

export interface Subject {
  path: string;
  title: string;
  /** ` nights`, for an outcome that is a number */
  unit?: string;
}

/** An etch with what a page reads for it besides its public fields. */
export type ShownEtch = Etch & {
  /** what it resolves; absent unless its author may resolve it */
  subject?: Subject;
  /** its card as HTML, rendered in advance: a page with a hundred long texts would stall the event loop */
  card?: string;
};

const ANSWER = 'Sealed answer to: ';

/** Machine-readable descriptions become words; the service's description of an answer changes when it opens. */
export function titleOf(
  etch: Pick<Etch, 'description' | 'status' | 'challenge'> & Partial<Pick<ShownEtch, 'content' | 'subject'>>,
): string {
  const { description, status, challenge } = etch;
  if (challenge && description.startsWith(ANSWER)) {
    // The description cuts a long question.
    const question = questionText(challenge.question ?? description.slice(ANSWER.length));
    return `${status === 'sealed' ? ANSWER : 'Answer to: '}${question}`;
  }
  if (describedTarget(description) === null) return description;
  const words = readWords(etch.content ?? '');
  const outcome = words.kind === 'resolution' ? words.outcome : undefined;
  if (etch.subject) {
    const { title, unit = '' } = etch.subject;
    if (outcome === undefined) return `Resolution: ${title}`;
    return `${outcome === VOID ? 'Resolved as void' : `Resolved ${outcome}${unit}`}: ${title}`;
  }
  // The author may not be the one who may resolve it.
  const [, , ...rest] = description.split(' ');
  const described = rest.join(' ').trim();
  const stated = outcome === undefined ? 'Resolution' : `Stated outcome: ${outcome}`;
  if (described === '') return stated;
  return outcome === undefined ? `${stated}: ${described}` : `${stated} (${described})`;
}

/** A display name cannot imitate a handle or a verified name. */
export function nameOf({ display_name: name, username }: { display_name: string; username: string }): string {
  return withoutImpersonation(name) || username;
}

interface ShownWords {
  parts: string[] | null;
  rest: string;
}

/** The challenge that the words answer, or what they resolve: its unit follows each number. */
type WordsContext = Partial<Pick<ShownEtch, 'challenge' | 'subject'>>;

export function shownWords(content: string, context: WordsContext = {}): ShownWords {
  const words = readWords(content);
  if (words.kind === 'text') return { parts: null, rest: content };
  return {
    parts: partsOf(words, context),
    rest: ('reasoning' in words ? words.reasoning : words.note).trim(),
  };
}

/** Files under a root can be shown only with their manifest. */
export function isRoot(content: string): boolean {
  const words = readWords(content);
  return words.kind === 'files' && words.form === 'root';
}

export function wordsText(content: string, context?: WordsContext): string {
  const { parts, rest } = shownWords(content, context);
  if (parts === null) return content;
  return rest === '' ? parts.join(' · ') : `${parts.join(' · ')}\n${rest}`;
}

function partsOf(words: Exclude<Words, { kind: 'text' }>, { challenge, subject }: WordsContext): string[] {
  switch (words.kind) {
    case 'forecast':
      return forecastParts(withoutNo(words), unitOf(challenge?.question ?? ''));
    case 'resolution':
      return [
        words.outcome === VOID ? 'Resolved as void' : `Outcome: ${words.outcome}${subject?.unit ?? ''}`,
        `Source: ${words.source}`,
      ];
    case 'files':
      return words.form === 'root'
        ? [countText(words.count, 'file')]
        : [countText(words.files.length, 'file'), ...words.files.map(({ name }) => name)];
    case 'log':
      return [`Log of ${countText(words.lines, 'line')}`];
    case 'hub':
      return [`Round ${words.round} of ${words.hub}`, words.model];
    case 'scope':
      return [`Scope: ${words.subject}`, countText(words.accounts.length + 1, 'account')];
  }
}

/** The chance of no follows from the chance of yes. */
const withoutNo = (words: Forecast): Forecast =>
  words.form === 'outcomes' && isYesNo(words.outcomes.map(({ name }) => name))
    ? { ...words, outcomes: words.outcomes.filter(({ name }) => name === 'yes') }
    : words;

/** @param unit ` nights`, of the question */
export const forecastParts = (words: Forecast, unit = ''): string[] =>
  words.form === 'outcomes'
    ? words.outcomes.map(({ name, millionths }) => `${name} ${roundChance(millionths)}`)
    : words.quantiles.map(({ level, value }) => `${level} % chance of at most ${value}${unit}`);

/** A forecast of yes or no as one line: the chance of no follows from it. */
export const forecastWords = (words: Forecast, unit = ''): string[] =>
  words.form === 'outcomes' && isYesNo(words.outcomes.map(({ name }) => name))
    ? words.outcomes
        .filter(({ name }) => name === 'yes')
        .map(({ millionths }) => `${shownChance(millionths)} chance of yes`)
    : forecastParts(words, unit);

const REASONS: Readonly<Record<TakedownReason, string>> = {
  illegal: 'it broke the law',
  court_order: 'a court ordered it',
  personal_data: 'it contained personal data of another person',
  copyright: 'it infringed somebody’s rights',
  abuse: 'it abused or harassed a person',
  malware: 'it led to malware',
};

export const takenDownFor = (etch: Etch): string | null =>
  etch.status === 'retracted' && etch.retraction_reason !== undefined
    ? REASONS[etch.retraction_reason]
    : null;

export function erasedBy(etch: Etch): string {
  const reason = takenDownFor(etch);
  return reason === null ? 'by its author' : `by the operator, because ${reason},`;
}
