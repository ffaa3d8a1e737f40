import { parseNumber, WHOLE } from './decimals.ts';
import type { OutcomeForecast, QuantileForecast } from './forecast.ts';

/** Limits the score of one wrong certainty. */
const LEAST = 1e-6;
/** The 97.5 % quantile of the standard normal distribution. */
const Z = 1.959963984540054;

const probability = ({ outcomes }: OutcomeForecast, name: string): number =>
  outcomes.find((outcome) => outcome.name === name)?.millionths ?? 0;

/**
 * 0 is best. For yes and no (p − o)², for several outcomes the sum over all (docs/conventions.md#scores).
 * @param asked every outcome; a missing one has the probability 0
 * @example
 * brierScore(parseForecast('svc-forecast:v1 yes=0.75'), ['yes', 'no'], 'yes'); // 0.0625
 * brierScore(parseForecast('svc-forecast:v1 red=0.5 blue=0.5'), ['red', 'green', 'blue'], 'red'); // 0.5
 */
export function brierScore(forecast: OutcomeForecast, asked: readonly string[], outcome: string): number {
  const error = (name: string) => {
    const difference = (probability(forecast, name) - (name === outcome ? WHOLE : 0)) / WHOLE;
    return difference * difference;
  };
  return isYesNo(asked) ? error('yes') : sum(asked.map(error));
}

/**
 * @example
 * isYesNo(['no', 'yes']); // true
 * isYesNo(['yes', 'no', 'perhaps']); // false
 */
export const isYesNo = (asked: readonly string[]): boolean => [...asked].sort().join('|') === 'no|yes';

/**
 * −ln(max(p, 1e-6)) of the true outcome; 0 is best.
 * @example
 * logScore(parseForecast('svc-forecast:v1 yes=1'), 'yes'); // -Math.log(1)
 * logScore(parseForecast('svc-forecast:v1 yes=1'), 'no'); // -Math.log(1e-6)
 */
export const logScore = (forecast: OutcomeForecast, outcome: string): number =>
  -Math.log(Math.max(probability(forecast, outcome) / WHOLE, LEAST));

/**
 * In the unit of the value; 0 is best; comparable only at equal levels. The mean over the quantiles of level
 * × (value − quantile) for a higher value, else of (1 − level) × (quantile − value).
 * @example
 * quantileLoss(parseForecast('svc-forecast:v1 q50=5'), '9'); // 2
 */
export function quantileLoss({ quantiles }: QuantileForecast, value: string): number {
  const actual = parseNumber(value);
  const losses = quantiles.map(({ level, value: quantile }) => {
    const above = Number(actual - parseNumber(quantile)) / WHOLE;
    return above >= 0 ? (level * above) / 100 : ((level - 100) * above) / 100;
  });
  return sum(losses) / losses.length;
}

/**
 * Wilson's 95 % interval for a proportion.
 * @example
 * wilsonInterval(0, 0); // null
 * wilsonInterval(5, 10).map((bound) => bound.toFixed(4)); // ['0.2366', '0.7634']
 */
export function wilsonInterval(hits: number, of: number): [low: number, high: number] | null {
  if (of === 0) return null;
  const share = hits / of;
  const scale = 1 + (Z * Z) / of;
  const middle = share + (Z * Z) / (2 * of);
  const reach = Z * Math.sqrt((share * (1 - share)) / of + (Z * Z) / (4 * of * of));
  return [Math.max(0, (middle - reach) / scale), Math.min(1, (middle + reach) / scale)];
}

/**
 * The rounding error does not grow with the number of terms (Neumaier).
 * @example
 * sum([1, 1e100, 1, -1e100]); // 2
 */
export function sum(terms: readonly number[]): number {
  let total = 0;
  let lost = 0;
  for (const term of terms) {
    const next = total + term;
    lost += Math.abs(total) >= Math.abs(term) ? total - next + term : term - next + total;
    total = next;
  }
  return total + lost;
}
