import { codePointLength } from '../text.ts';
import { formatProbability, parseNumber, parseProbability, WHOLE } from './decimals.ts';
import { checkedWords, ConventionError, firstLine, partsBehind } from './plain-text.ts';

export const FORECAST_TAG = 'svc-forecast:v1';
/** Has at least one outcome with a space. */
export const SPACED_FORECAST_TAG = 'svc-forecast:v2';
export const MAX_OUTCOMES = 100;
const MAX_NAME = 40;
/** The question does not count. */
export const VOID = 'void';

export interface Outcome {
  name: string;
  /** all sum to 1,000,000 */
  millionths: number;
}

/** `yes` alone implies `no`. */
export interface OutcomeForecast {
  kind: 'forecast';
  form: 'outcomes';
  outcomes: Outcome[];
  reasoning: string;
}

export interface Quantile {
  /** percent, 1 to 99: the probability that the true value is at most `value` */
  level: number;
  value: string;
}

/** Levels ascend, values never decrease. */
export interface QuantileForecast {
  kind: 'forecast';
  form: 'quantiles';
  quantiles: Quantile[];
  reasoning: string;
}

export type Forecast = OutcomeForecast | QuantileForecast;

const SEEN = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+(?: [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u;
const BEGINS = new RegExp(`^(?:${FORECAST_TAG}|${SPACED_FORECAST_TAG})(?=[ \\t\\r\\n]|$)`);
const QUANTILE = /^q([1-9]\d?)$/;

/**
 * @example
 * levelsOf(parseForecast('svc-forecast:v1 q90=9 q10=3')); // [10, 90]
 */
export const levelsOf = ({ quantiles }: QuantileForecast): number[] => quantiles.map(({ level }) => level);

/**
 * At most 40 visible characters without `= | [ ] ,`, with single spaces between words. `void` and names of
 * quantiles are reserved (docs/conventions.md#forecasts).
 * @example
 * isOutcomeName('New York'); // true
 * isOutcomeName('q10'); // false
 */
export const isOutcomeName = (name: string): boolean =>
  SEEN.test(name) &&
  !/[=|[\],]|\p{Default_Ignorable_Code_Point}/u.test(name) &&
  codePointLength(name) <= MAX_NAME &&
  name !== VOID &&
  !/^q\d+$/.test(name);

/**
 * Its Brier score covers the probability of yes.
 * @example
 * isBinary(parseForecast('svc-forecast:v1 yes=0.72')); // true
 */
export const isBinary = (forecast: Forecast): boolean =>
  forecast.form === 'outcomes' && forecast.outcomes.every(({ name }) => name === 'yes' || name === 'no');

/**
 * Whether the words begin as a forecast, of either version.
 * @example
 * beginsAsForecast('svc-forecast:v1 yes=2'); // true
 */
export const beginsAsForecast = (content: string): boolean => BEGINS.test(content);

/**
 * Only such names need version 2 of the words.
 * @example
 * hasSpace('New York'); // true
 */
export const hasSpace = (name: string): boolean => name.includes(' ');

/**
 * Outcomes with their probabilities, or quantiles with their values: a value ends at a space, a name at `=`.
 * @example
 * forecastPairs('New York=0.6 Paris=0.4'); // ['New York=0.6', 'Paris=0.4']
 */
export function forecastPairs(line: string): string[] {
  const pairs: string[] = [];
  let name = '';
  for (const part of line.split(' ').filter((part) => part !== '')) {
    name = name === '' ? part : `${name} ${part}`;
    if (!part.includes('=')) continue;
    pairs.push(name);
    name = '';
  }
  return name === '' ? pairs : [...pairs, name];
}

/**
 * @param parts `yes=0.72`, or each outcome with its probability, or each quantile with its value
 * @throws {ConventionError}
 * @example
 * forecastWords(['yes=0.72'], 'The wind turns.'); // 'svc-forecast:v1 yes=0.72\nThe wind turns.'
 * forecastWords(['New York=0.6', 'Paris=0.4']); // 'svc-forecast:v2 New York=0.6 Paris=0.4'
 */
export function forecastWords(parts: readonly string[], reasoning = ''): string {
  const isSpaced = parts.some((part) => hasSpace(part.slice(0, part.indexOf('=')).trim()));
  const tag = isSpaced ? SPACED_FORECAST_TAG : FORECAST_TAG;
  return checkedWords(parseForecast, `${tag} ${parts.join(' ')}`, reasoning);
}

/**
 * docs/conventions.md#forecasts
 * @throws {ConventionError} when the words do not follow the convention
 * @example
 * parseForecast('svc-forecast:v1 yes=0.72').outcomes;
 * // [{ name: 'yes', millionths: 720000 }, { name: 'no', millionths: 280000 }]
 */
export function parseForecast(content: string): Forecast {
  const { line, rest: reasoning } = firstLine(content);
  const isSpaced = line.startsWith(`${SPACED_FORECAST_TAG} `);
  const parts = partsBehind(isSpaced ? SPACED_FORECAST_TAG : FORECAST_TAG, line);
  const pairs = (isSpaced ? forecastPairs(parts.join(' ')) : parts).map((part): [string, string] => {
    const at = part.indexOf('=');
    if (at < 1 || at === part.length - 1 || part[at - 1] === ' ')
      throw new ConventionError(`${part} is not <outcome>=<probability>, without spaces around =`);
    return [part.slice(0, at).normalize('NFC'), part.slice(at + 1)];
  });
  if (isSpaced && !pairs.some(([name]) => hasSpace(name)))
    throw new ConventionError(`${SPACED_FORECAST_TAG} is for outcomes with spaces: write ${FORECAST_TAG}`);
  if (pairs.length === 0)
    throw new ConventionError(`write an outcome after ${FORECAST_TAG}, such as yes=0.72`);
  if (pairs.length > MAX_OUTCOMES)
    throw new ConventionError(`a forecast has at most ${MAX_OUTCOMES} outcomes, not ${pairs.length}`);
  const names = pairs.map(([name]) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new ConventionError(`${twice} is given twice`);
  const quantiles = pairs.filter(([name]) => QUANTILE.test(name)).length;
  if (quantiles > 0 && quantiles < pairs.length)
    throw new ConventionError('quantiles and outcomes appear together: a forecast gives one or the other');
  return quantiles > 0 ? readQuantiles(pairs, reasoning) : readOutcomes(pairs, reasoning);
}

function readOutcomes(pairs: [string, string][], reasoning: string): OutcomeForecast {
  const outcomes = pairs.map(([name, probability]) => {
    if (!isOutcomeName(name)) throw new ConventionError(`${name} cannot be the name of an outcome`);
    return { name, millionths: parseProbability(probability) };
  });
  const [only] = outcomes;
  if (outcomes.length === 1 && only!.name === 'yes')
    outcomes.push({ name: 'no', millionths: WHOLE - only!.millionths });
  const sum = outcomes.reduce((total, { millionths }) => total + millionths, 0);
  if (sum !== WHOLE)
    throw new ConventionError(
      `the probabilities sum to ${formatSum(sum)}, not to 1${only!.name === 'no' && outcomes.length === 1 ? ': a single probability is written as yes=…' : ''}`,
    );
  return { kind: 'forecast', form: 'outcomes', outcomes, reasoning };
}

const formatSum = (millionths: number): string => {
  const whole = Math.floor(millionths / WHOLE);
  return `${whole}${formatProbability(millionths % WHOLE).slice(1)}`;
};

function readQuantiles(pairs: [string, string][], reasoning: string): QuantileForecast {
  const quantiles = pairs
    .map(([name, value]) => ({ level: Number(QUANTILE.exec(name)![1]), value, exact: parseNumber(value) }))
    .sort((a, b) => a.level - b.level);
  quantiles.forEach(({ level, value, exact }, at) => {
    const below = quantiles[at - 1];
    if (below !== undefined && exact < below.exact)
      throw new ConventionError(
        `q${level}=${value} is less than q${below.level}=${below.value}: a higher quantile cannot have a lower value`,
      );
  });
  return {
    kind: 'forecast',
    form: 'quantiles',
    quantiles: quantiles.map(({ level, value }) => ({ level, value })),
    reasoning,
  };
}
