import { codePointLength } from '../text.ts';
import { parseNumber } from './decimals.ts';
import {
  type Forecast,
  hasSpace,
  isBinary,
  isOutcomeName,
  levelsOf,
  MAX_OUTCOMES,
  VOID,
} from './forecast.ts';
import { ConventionError, refuseControls, withoutSpaces } from './plain-text.ts';

const MAX_UNIT = 20;
/** percent */
const DEFAULT_LEVELS: readonly number[] = [10, 50, 90];

export type AnswerFormat =
  | {
      asks: 'text';
      /** why malformed brackets count as a text */
      reason: string | null;
    }
  | { asks: 'outcomes'; outcomes: string[] }
  | {
      asks: 'number';
      unit: string;
      /** percent, ascending */
      levels: number[];
    };

/**
 * Reads `[yes|no]`, `[red|green|blue]`, `[outcomes: New York | Paris]`, `[number: mm]` or `[number: mm; 5 50 95]`
 * at the end. Other questions ask for a text (docs/conventions.md#what-a-challenge-asks-for).
 * @example
 * parseQuestion('Will it rain? [yes|no]'); // { asks: 'outcomes', outcomes: ['yes', 'no'] }
 * parseQuestion('How much? [number: mm]'); // { asks: 'number', unit: 'mm', levels: [10, 50, 90] }
 */
export function parseQuestion(question: string): AnswerFormat {
  const [, inside] = /\[([^[\]]*)\][ \t]*$/.exec(question) ?? [];
  if (inside === undefined) return { asks: 'text', reason: null };
  const [, number] = /^number:(.*)$/.exec(inside) ?? [];
  // `[outcomes: |b]` follows the first version, which has no spaces in a name.
  const [, spaced] = /^outcomes: +(?![ |])(.*)$/.exec(inside) ?? [];
  try {
    refuseControls(inside, 'the text in brackets');
    if (number !== undefined) return readNumber(number);
    return spaced === undefined
      ? readOutcomes(inside.split('|'), isUnspaced)
      : readOutcomes(spaced.split('|'), isOutcomeName);
  } catch (error) {
    if (error instanceof ConventionError) return { asks: 'text', reason: error.message };
    throw error;
  }
}

function readNumber(text: string): AnswerFormat {
  const [before, ...behind] = text.split(';');
  const unit = withoutSpaces(before!);
  if (unit === '' || codePointLength(unit) > MAX_UNIT)
    throw new ConventionError(`number: is followed by a unit of at most ${MAX_UNIT} characters`);
  return { asks: 'number', unit, levels: behind.length === 0 ? [...DEFAULT_LEVELS] : readLevels(behind) };
}

function readLevels(behind: readonly string[]): number[] {
  const levels = behind.length === 1 ? behind[0]!.split(' ').filter((part) => part !== '') : [];
  if (
    levels.length === 0 ||
    new Set(levels).size < levels.length ||
    !levels.every((level) => /^[1-9]\d?$/.test(level))
  )
    throw new ConventionError(
      'the unit is followed by a semicolon and quantile levels: different whole numbers from 1 to 99, separated by spaces, such as 5 50 95',
    );
  return levels.map(Number).sort((a, b) => a - b);
}

/**
 * @example
 * formatLevels([10, 50, 90]); // 'q10 q50 q90'
 */
export const formatLevels = (levels: readonly number[]): string =>
  levels.map((level) => `q${level}`).join(' ');

const isUnspaced = (name: string): boolean => isOutcomeName(name) && !hasSpace(name);

/**
 * The brackets at the end of a question, in the first version unless a name has a space.
 * @throws {ConventionError}
 * @example
 * outcomeBrackets(['red', 'blue']); // '[red|blue]'
 * outcomeBrackets(['New York', 'Paris']); // '[outcomes: New York | Paris]'
 */
export function outcomeBrackets(names: readonly string[]): string {
  const isSpaced = names.some((name) => hasSpace(name.trim()));
  const inside = isSpaced ? `outcomes: ${names.join(' | ')}` : names.join('|');
  readOutcomes(names, isOutcomeName);
  return `[${inside}]`;
}

function readOutcomes(names: readonly string[], isName: (name: string) => boolean): AnswerFormat {
  const outcomes = names.map((name) => withoutSpaces(name).normalize('NFC'));
  if (outcomes.length < 2 || outcomes.length > MAX_OUTCOMES)
    throw new ConventionError(
      `write 2 to ${MAX_OUTCOMES} outcomes in brackets, separated by |, or number: and a unit`,
    );
  for (const [at, name] of outcomes.entries()) {
    if (!isName(name))
      throw new ConventionError(
        `${JSON.stringify(name)} cannot be the name of an outcome${isOutcomeName(name) ? `: write [outcomes: ${outcomes.join(' | ')}]` : ''}`,
      );
    if (outcomes.indexOf(name) !== at) throw new ConventionError(`the outcome ${name} is given twice`);
  }
  return { asks: 'outcomes', outcomes };
}

/**
 * Why a forecast does not answer the question, or null. A missing outcome has the probability 0. Quantiles
 * must have exactly the levels of the question.
 * @example
 * const asked = parseQuestion('Which one? [red|blue]');
 * forecastMisfit(parseForecast('svc-forecast:v1 red=1'), asked); // null
 * forecastMisfit(parseForecast('svc-forecast:v1 pink=1'), asked); // 'the question has no outcome pink: red, blue'
 */
export function forecastMisfit(forecast: Forecast, format: AnswerFormat): string | null {
  if (format.asks === 'text') return 'the question asks for a text';
  if (format.asks === 'number') return levelsMisfit(forecast, formatLevels(format.levels));
  if (forecast.form === 'quantiles')
    return `the question asks for probabilities of its outcomes: ${format.outcomes.join(', ')}`;
  const unknown = forecast.outcomes.find(({ name }) => !format.outcomes.includes(name));
  return unknown === undefined
    ? null
    : `the question has no outcome ${unknown.name}: ${format.outcomes.join(', ')}`;
}

function levelsMisfit(forecast: Forecast, asked: string): string | null {
  const given = forecast.form === 'quantiles' ? formatLevels(levelsOf(forecast)) : 'probabilities';
  return given === asked
    ? null
    : `the question asks for a number: give exactly the quantiles ${asked}, not ${given}`;
}

/**
 * Why an outcome or value does not answer the question, or null if it does. `void` answers every question.
 * @example
 * outcomeMisfit('12.5', parseQuestion('How much? [number: mm]')); // null
 * outcomeMisfit('perhaps', parseQuestion('Will it rain? [yes|no]')); // 'the question has no outcome perhaps: yes, no, void'
 */
export function outcomeMisfit(outcome: string, format: AnswerFormat): string | null {
  if (outcome === VOID) return null;
  if (format.asks === 'text') return 'the question asks for a text, which cannot be resolved';
  if (format.asks === 'outcomes')
    return format.outcomes.includes(outcome)
      ? null
      : `the question has no outcome ${outcome}: ${[...format.outcomes, VOID].join(', ')}`;
  try {
    parseNumber(outcome);
    return null;
  } catch (error) {
    return (error as ConventionError).message;
  }
}

/**
 * For a forecast outside challenges.
 * @example
 * formatOfForecast(parseForecast('svc-forecast:v1 yes=0.72')).outcomes; // ['yes', 'no']
 */
export function formatOfForecast(forecast: Forecast): AnswerFormat {
  if (forecast.form === 'quantiles') return { asks: 'number', unit: '', levels: levelsOf(forecast) };
  return {
    asks: 'outcomes',
    outcomes: isBinary(forecast) ? ['yes', 'no'] : forecast.outcomes.map(({ name }) => name),
  };
}
