import { forecastMisfit, parseQuestion, readWords } from '@svc/protocol/conventions';
import type { ForecastPart } from './forecast-draft.ts';

/** An etch in the composer: fields as typed, or empty. */
export interface EtchDraft {
  /** the Idempotency-Key: a draft etches once, however often it is sent */
  draft: string;
  content: string;
  /** the fields of a forecast, and further ones typed in one line; they precede the words */
  parts?: readonly ForecastPart[] | undefined;
  forecast: string;
  description: string;
  category_id: string;
  mode: string;
  /** the value of the date field, in UTC */
  reveal_at: string;
  /** the challenge that it answers, even while the challenge cannot be read */
  challenge_id?: string | undefined;
}

/** The challenge that it answers, which sets topic, description and time. */
export interface Answering {
  id: string;
  question: string;
  topic: string;
  revealAt: string;
}

/** An answer is never shown as a separate etch, which could be public at once. */
export const challengeOf = (
  { challenge_id: id }: EtchDraft,
  answering: Answering | undefined,
): string | undefined => answering?.id ?? (id || undefined);

/** Why words that look like a convention would count as a plain text, or null (docs/conventions.md#words-that-begin-so). */
export function wordsMisfit(content: string, question: string | undefined): string | null {
  const words = readWords(content);
  if (words.kind === 'text' && words.reason !== null) return words.reason;
  const asked = parseQuestion(question ?? '');
  if (asked.asks === 'text') return null;
  return words.kind === 'forecast'
    ? forecastMisfit(words, asked)
    : 'the question asks for a forecast, and these words are none';
}
