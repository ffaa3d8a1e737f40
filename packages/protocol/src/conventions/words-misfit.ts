import { FORECAST_TAG } from './forecast.ts';
import { forecastMisfit, parseQuestion } from './question.ts';
import { readWords } from './words.ts';

/**
 * Why a score or a reader would not count the words as what they begin with, or as an answer to the question;
 * else null (docs/conventions.md#words-that-begin-so).
 * @param question of the challenge
 * @example
 * wordsMisfit('svc-forecast:v1 yes=0.6 no=0.6', null); // 'the probabilities sum to 1.2, not to 1'
 * wordsMisfit('On Sunday.', 'When will it rain?'); // null
 */
export function wordsMisfit(content: string, question: string | null): string | null {
  const words = readWords(content);
  if (words.kind === 'text' && words.reason !== null) return words.reason;
  const asked = question === null ? undefined : parseQuestion(question);
  if (asked === undefined || asked.asks === 'text') return null;
  return words.kind === 'forecast'
    ? forecastMisfit(words, asked)
    : `the question asks for a forecast: begin with ${FORECAST_TAG}`;
}
