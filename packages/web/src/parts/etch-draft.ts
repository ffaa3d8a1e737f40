import { forecastMisfit, parseQuestion, readWords } from '@svc/protocol/conventions';
import type { ForecastPart } from './forecast-draft.ts';

/** An etch as far as it is written: everything as typed, or empty. */
export interface EtchDraft {
  /** the Idempotency-Key: one draft etches once, however often it is sent */
  draft: string;
  content: string;
  /** the fields of a forecast, and what more of it is typed in one line: to be put before the words */
  parts?: readonly ForecastPart[] | undefined;
  forecast: string;
  description: string;
  category_id: string;
  mode: string;
  /** as the date field holds it, in UTC */
  reveal_at: string;
  /** the challenge it answers: it stays bound to it, also while what the challenge says cannot be read */
  challenge_id?: string | undefined;
}

/** The challenge it answers, which sets topic, description and time. */
export interface Answering {
  id: string;
  question: string;
  topic: string;
  revealAt: string;
}

/** An answer is never shown as an etch of its own, which could be public at once. */
export const challengeOf = (
  { challenge_id: id }: EtchDraft,
  answering: Answering | undefined,
): string | undefined => answering?.id ?? (id || undefined);

/** Why words would count as a mere text where they are meant as more, or null (docs/conventions.md#words-that-begin-so). */
export function wordsMisfit(content: string, question: string | undefined): string | null {
  const words = readWords(content);
  if (words.kind === 'text' && words.reason !== null) return words.reason;
  const asked = parseQuestion(question ?? '');
  if (asked.asks === 'text') return null;
  return words.kind === 'forecast'
    ? forecastMisfit(words, asked)
    : 'the question asks for a forecast, and these words are none';
}
