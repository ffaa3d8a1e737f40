import type { FileList, FileRoot } from './file-words.ts';
import { FILES_TAG, parseFiles } from './file-words.ts';
import type { Forecast } from './forecast.ts';
import { FORECAST_TAG, parseForecast } from './forecast.ts';
import type { LogWords } from './log-words.ts';
import { LOG_TAG, parseLog } from './log-words.ts';
import type { PlainText } from './plain-text.ts';
import { orText } from './plain-text.ts';
import type { ResolutionWords } from './resolution.ts';
import { parseResolution, RESOLUTION_TAG } from './resolution.ts';
import type { ScopeWords } from './scope-words.ts';
import { parseScope, SCOPE_TAG } from './scope-words.ts';

export type Words = PlainText | FileList | FileRoot | Forecast | ResolutionWords | LogWords | ScopeWords;

const READERS: Readonly<Record<string, (content: string) => Exclude<Words, PlainText>>> = {
  files: parseFiles,
  forecast: parseForecast,
  resolution: parseResolution,
  log: parseLog,
  scope: parseScope,
};

/** Also matches `svc-forecast:v1yes=1`, as an unknown version. */
const BEGINS = /^(\uFEFF*)svc-(files|forecast|resolution|log|scope)(?::([^ \t\r\n]*))?(?=[ \t\r\n]|$)/;

/**
 * Never throws: malformed words and unknown versions are a text with a reason
 * (docs/conventions.md#words-that-begin-so).
 * @example
 * readWords('It will rain on Sunday.'); // { kind: 'text', reason: null }
 */
export function readWords(content: string): Words {
  const [, mark, name, version] = BEGINS.exec(content) ?? [];
  if (name === undefined) return { kind: 'text', reason: null };
  if (mark !== '')
    return { kind: 'text', reason: 'a byte order mark (U+FEFF) stands before the tag: take it out' };
  if (version !== 'v1')
    return {
      kind: 'text',
      reason: `only version 1 is known: ${FILES_TAG}, ${FORECAST_TAG}, ${RESOLUTION_TAG}, ${LOG_TAG} and ${SCOPE_TAG}`,
    };
  return orText(() => READERS[name]!(content));
}
