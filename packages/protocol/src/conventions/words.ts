import { type FileList, type FileRoot, FILES_TAG, parseFiles } from './file-words.ts';
import { type Forecast, FORECAST_TAG, parseForecast, SPACED_FORECAST_TAG } from './forecast.ts';
import { HUB_TAG, type HubWords, parseHub } from './hub-words.ts';
import { LOG_TAG, type LogWords, parseLog } from './log-words.ts';
import { orText, type PlainText } from './plain-text.ts';
import { forecastMisfit, parseQuestion } from './question.ts';
import {
  parseResolution,
  RESOLUTION_TAG,
  type ResolutionWords,
  SPACED_RESOLUTION_TAG,
} from './resolution.ts';
import { parseScope, SCOPE_TAG, type ScopeWords } from './scope-words.ts';

export type Words =
  | PlainText
  | FileList
  | FileRoot
  | Forecast
  | ResolutionWords
  | LogWords
  | ScopeWords
  | HubWords;

const READERS: Readonly<Record<string, (content: string) => Exclude<Words, PlainText>>> = {
  files: parseFiles,
  forecast: parseForecast,
  resolution: parseResolution,
  log: parseLog,
  scope: parseScope,
  hub: parseHub,
};

const TAGS: readonly string[] = [
  FILES_TAG,
  FORECAST_TAG,
  SPACED_FORECAST_TAG,
  RESOLUTION_TAG,
  SPACED_RESOLUTION_TAG,
  LOG_TAG,
  SCOPE_TAG,
  HUB_TAG,
];

/** Also matches `svc-forecast:v1yes=1`, as an unknown version. */
const BEGINS = /^(\uFEFF*)svc-(files|forecast|resolution|log|scope|hub)(?::([^ \t\r\n]*))?(?=[ \t\r\n]|$)/;

/**
 * Never throws: malformed words and unknown versions are a text with a reason
 * (docs/conventions.md#words-that-begin-so).
 * @example
 * readWords('It will rain on Sunday.'); // { kind: 'text', reason: null }
 */
export function readWords(content: string): Words {
  const [, mark, name, version] = BEGINS.exec(content) ?? [];
  if (name === undefined) return { kind: 'text', reason: null };
  if (mark !== '') return { kind: 'text', reason: 'a byte order mark (U+FEFF) is before the tag: remove it' };
  if (!TAGS.includes(`svc-${name}:${version}`))
    return { kind: 'text', reason: `this version is unknown: the tags are ${TAGS.join(', ')}` };
  return orText(() => READERS[name]!(content));
}

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
