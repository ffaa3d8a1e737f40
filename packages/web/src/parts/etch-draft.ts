import {
  type AnswerFormat,
  forecastMisfit,
  isYesNo,
  parseQuestion,
  readWords,
  type SectionName,
  type Sections,
} from '@svc/protocol/conventions';

import type { EtchTerms } from './etch-terms.tsx';

export const KINDS = ['text', 'forecast', 'files'] as const;

export const PREREGISTRATION = 'preregistration';

export type Kind = (typeof KINDS)[number] | typeof PREREGISTRATION;

export interface EtchDraft extends EtchTerms {
  draft: string;
  /** undefined before the first choice and in a challenge */
  kind?: Kind | undefined;
  content: string;
  /** the first lines of words that commit to files, made by the browser */
  files?: string | undefined;
  parts?: readonly ForecastPart[] | undefined;
  forecast: string;
  sections?: Sections | undefined;
  description: string;
  mode: string;
  reveal_at: string;
  challenge_id?: string | undefined;
}

/** The challenge sets topic, description and time. */
export interface Answering {
  id: string;
  question: string;
  topic: string;
  /** absent on the page of the challenge, which states it */
  revealAt?: string;
}

/** A separate etch could be public at once. */
export const challengeOf = (
  { challenge_id: id }: EtchDraft,
  answering: Answering | undefined,
): string | undefined => answering?.id ?? (id || undefined);

/** Null, or why a convention would count as plain text (docs/conventions.md#words-that-begin-so). */
export function wordsMisfit(content: string, question: string | undefined): string | null {
  const words = readWords(content);
  if (words.kind === 'text' && words.reason !== null) return words.reason;
  const format = parseQuestion(question ?? '');
  if (format.asks === 'text') return null;
  return words.kind === 'forecast'
    ? forecastMisfit(words, format)
    : 'the question asks for a forecast, and these words are none';
}

export const kindOf = ({ kind, parts = [], forecast, files = '' }: EtchDraft): Kind =>
  kind ??
  (files !== '' ? 'files' : forecast !== '' || parts.some(({ value }) => value !== '') ? 'forecast' : 'text');

export const sectionField = (name: SectionName): string => `section_${name.toLowerCase().replace(' ', '_')}`;

export const formPath = (draft: EtchDraft, challenge: string | undefined): string =>
  challenge
    ? `/write?challenge=${challenge}`
    : draft.kind === PREREGISTRATION
      ? `/write?template=${PREREGISTRATION}`
      : '/write';

/** As typed: outcome with probability, or quantile with value. */
export interface ForecastPart {
  name: string;
  value: string;
}

interface Typed {
  parts?: readonly ForecastPart[] | undefined;
  challenge_id?: string | undefined;
}

export interface ForecastField extends ForecastPart {
  known: string | null;
}

const OWN_OUTCOMES = 4;
const OWN: readonly (string | null)[] = [
  'yes',
  ...Array.from({ length: OWN_OUTCOMES }, () => null),
  'q10',
  'q50',
  'q90',
];

export const askedBy = (question: string | undefined): AnswerFormat | null =>
  question === undefined ? null : parseQuestion(question);

export function forecastFields(
  { parts = [], challenge_id: challenge }: Typed,
  question: string | undefined,
): ForecastField[] {
  const asked = askedBy(question);
  if (asked?.asks === 'text') return [];
  const known = asked === null ? (challenge ? [] : OWN) : namedBy(asked);
  const isOwnName = (name: string): boolean => name !== '' && name !== 'no' && !known.includes(name);
  const left = parts.filter(({ name, value }) => value !== '' || isOwnName(name));
  const take = (name: string): string => {
    const at = left.findIndex((part) => part.name === name);
    return at === -1 ? '' : left.splice(at, 1)[0]!.value;
  };
  const named = known.map((name) => ({
    known: name,
    name: name ?? '',
    value: name === null ? '' : take(name),
  }));
  const places = known.filter((name) => name === null).length;
  const more = Array.from({ length: Math.max(0, left.length - places) }, () => ({
    known: null,
    name: '',
    value: '',
  }));
  return [...named, ...more].map((field) => (field.known === null ? { ...field, ...left.shift() } : field));
}

/** With yes alone, no is the rest. */
function namedBy(format: Exclude<AnswerFormat, { asks: 'text' }>): string[] {
  if (format.asks === 'number') return format.levels.map((level) => `q${level}`);
  return isYesNo(format.outcomes) ? ['yes'] : format.outcomes;
}

/** @param unit ` nights`, of the question, as in `10 % chance of at most … nights` */
export function fieldLabel({ known, name }: Pick<ForecastField, 'known' | 'name'>, unit = ''): string {
  const [, level] = /^q(\d+)$/.exec(known ?? '') ?? [];
  if (level === undefined) return known ?? `Outcome ${name}`.trim();
  return `${level} % chance of at most${unit && ` …${unit}`}`;
}
