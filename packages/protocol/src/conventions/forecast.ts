import { codePointLength } from '../text.ts';
import { formatProbability, parseNumber, parseProbability, WHOLE } from './decimals.ts';
import { checkedWords, ConventionError, firstLine, partsBehind } from './plain-text.ts';

export const FORECAST_TAG = 'svc-forecast:v1';
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

const SEEN = /^[\p{L}\p{M}\p{N}\p{P}\p{S}]+$/u;
const QUANTILE = /^q([1-9]\d?)$/;

/**
 * @example
 * levelsOf(parseForecast('svc-forecast:v1 q90=9 q10=3')); // [10, 90]
 */
export const levelsOf = ({ quantiles }: QuantileForecast): number[] => quantiles.map(({ level }) => level);

/**
 * At most 40 visible characters without `= | [ ] ,`. `void` and names of quantiles are reserved
 * (docs/conventions.md#forecasts).
 * @example
 * isOutcomeName('New-York'); // true
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
 * @param parts `yes=0.72`, or each outcome with its probability, or each quantile with its value
 * @throws {ConventionError}
 * @example
 * forecastWords(['yes=0.72'], 'The wind turns.'); // 'svc-forecast:v1 yes=0.72\nThe wind turns.'
 */
export const forecastWords = (parts: readonly string[], reasoning = ''): string =>
  checkedWords(parseForecast, `${FORECAST_TAG} ${parts.join(' ')}`, reasoning);

/**
 * docs/conventions.md#forecasts
 * @throws {ConventionError} when the words do not follow the convention
 * @example
 * parseForecast('svc-forecast:v1 yes=0.72').outcomes;
 * // [{ name: 'yes', millionths: 720000 }, { name: 'no', millionths: 280000 }]
 */
export function parseForecast(content: string): Forecast {
  const { line, rest: reasoning } = firstLine(content);
  const pairs = partsBehind(FORECAST_TAG, line).map((part): [string, string] => {
    const at = part.indexOf('=');
    if (at < 1 || at === part.length - 1)
      throw new ConventionError(`${part} is not <outcome>=<probability>, without spaces around =`);
    return [part.slice(0, at).normalize('NFC'), part.slice(at + 1)];
  });
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
