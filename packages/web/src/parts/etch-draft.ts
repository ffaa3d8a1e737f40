import {
  forecastMisfit,
  parseQuestion,
  readWords,
  type SectionName,
  type Sections,
} from '@svc/protocol/conventions';
import type { ForecastPart } from './forecast-draft.ts';

export const KINDS = ['text', 'forecast', 'files'] as const;

export const PREREGISTRATION = 'preregistration';

export type Kind = (typeof KINDS)[number] | typeof PREREGISTRATION;

export interface EtchDraft {
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
  category_id: string;
  mode: string;
  reveal_at: string;
  challenge_id?: string | undefined;
}

/** The challenge sets topic, description and time. */
export interface Answering {
  id: string;
  question: string;
  topic: string;
  revealAt: string;
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
  const asked = parseQuestion(question ?? '');
  if (asked.asks === 'text') return null;
  return words.kind === 'forecast'
    ? forecastMisfit(words, asked)
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
