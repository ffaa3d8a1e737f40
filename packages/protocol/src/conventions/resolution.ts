import { isUuid } from '../hex.ts';
import { parseNumber } from './decimals.ts';
import { hasSpace, isOutcomeName, VOID } from './forecast.ts';
import { checkedWords, ConventionError, firstLine, partsBehind } from './plain-text.ts';

export const RESOLUTION_TAG = 'svc-resolution:v1';
/** Has an outcome with a space, and `|` after it. Its description has the first version. */
export const SPACED_RESOLUTION_TAG = 'svc-resolution:v2';

export interface ResolutionWords {
  kind: 'resolution';
  /** a challenge, or the etch with the forecast */
  target: string;
  /** outcome, decimal, or `void` */
  outcome: string;
  source: string;
  reasoning: string;
}

/**
 * docs/conventions.md#resolutions
 * @throws {ConventionError}
 * @example
 * const target = 'ba2700ee-b11f-45fe-a934-06098975d379';
 * resolutionWords({ target, outcome: 'yes', source: 'https://example.org/rain' });
 * // `svc-resolution:v1 ${target} yes https://example.org/rain`
 */
export function resolutionWords(
  { target, outcome, source }: Pick<ResolutionWords, 'target' | 'outcome' | 'source'>,
  reasoning = '',
): string {
  const line = hasSpace(outcome.trim())
    ? `${SPACED_RESOLUTION_TAG} ${target} ${outcome} | ${source}`
    : `${RESOLUTION_TAG} ${target} ${outcome} ${source}`;
  return checkedWords(parseResolution, line, reasoning);
}

/**
 * `resolveChallenge` and `resolveForecast` decide whether the resolution counts.
 * @throws {ConventionError} when the words do not follow the convention
 * @example
 * const words = 'svc-resolution:v1 ba2700ee-b11f-45fe-a934-06098975d379 void the gauge was broken';
 * parseResolution(words).source; // 'the gauge was broken'
 */
export function parseResolution(content: string): ResolutionWords {
  const { line, rest: reasoning } = firstLine(content);
  const isSpaced = line.startsWith(`${SPACED_RESOLUTION_TAG} `);
  const [target, ...parts] = partsBehind(isSpaced ? SPACED_RESOLUTION_TAG : RESOLUTION_TAG, line);
  const end = isSpaced ? parts.indexOf('|') : 1;
  if (end === -1) throw new ConventionError('write | between the outcome and the source');
  const written = parts.slice(0, end).join(' ');
  const source = parts.slice(isSpaced ? end + 1 : end);
  const outcome = written === '' ? undefined : written.normalize('NFC');
  if (!isUuid(target))
    throw new ConventionError(
      `write the id of a challenge or of an etch after ${RESOLUTION_TAG}, in lower case`,
    );
  if (outcome === undefined)
    throw new ConventionError('write what came true after the id: an outcome, a number, or void');
  if (outcome !== VOID && !isOutcomeName(outcome)) parseNumber(outcome);
  if (isSpaced && !hasSpace(outcome))
    throw new ConventionError(
      `${SPACED_RESOLUTION_TAG} is for an outcome with spaces: write ${RESOLUTION_TAG}`,
    );
  if (source.length === 0)
    throw new ConventionError('write a source after the outcome, where anyone can read what came true');
  return { kind: 'resolution', target, outcome, source: source.join(' '), reasoning };
}

/**
 * Marks an etch as a resolution, also after a retraction (docs/conventions.md#resolutions).
 * @example
 * const target = 'ba2700ee-b11f-45fe-a934-06098975d379';
 * resolutionDescription(target); // `svc-resolution:v1 ${target}`
 */
export const resolutionDescription = (target: string): string => `${RESOLUTION_TAG} ${target}`;

/**
 * Null for another description. Free text may follow the id.
 * @example
 * describedTarget('About rain'); // null
 */
export function describedTarget(description: string): string | null {
  const [tag, target] = description.split(' ');
  return tag === RESOLUTION_TAG && isUuid(target) ? target : null;
}
