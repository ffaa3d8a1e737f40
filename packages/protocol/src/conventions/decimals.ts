import { ConventionError } from './plain-text.ts';

export const WHOLE = 1_000_000;

const PROBABILITY = /^(0|1)(?:\.(\d{1,6}))?$/;
const NUMBER = /^(-?)(0|[1-9]\d{0,11})(?:\.(\d{1,6}))?$/;

/**
 * In millionths, exactly: 0 to 1 with at most six decimals (docs/conventions.md#forecasts).
 * @throws {ConventionError} on anything else, such as `72%`, `.5` or `1e-3`
 * @example
 * parseProbability('0.72'); // 720000
 * parseProbability('1.000000'); // 1000000
 */
export function parseProbability(text: string): number {
  const [, whole, decimals = ''] = PROBABILITY.exec(text) ?? [];
  const millionths = Number(whole) * WHOLE + Number(decimals.padEnd(6, '0'));
  if (whole === undefined || millionths > WHOLE)
    throw new ConventionError(
      `${text} is not a probability: write a decimal from 0 to 1 with at most six decimals, such as 0.72`,
    );
  return millionths;
}

/**
 * The shortest decimal.
 * @example
 * formatProbability(720_000); // '0.72'
 * formatProbability(1_000_000); // '1'
 */
export const formatProbability = (millionths: number): string =>
  millionths === WHOLE
    ? '1'
    : `0.${String(millionths).padStart(6, '0')}`.replace(/0+$/, '').replace(/\.$/, '');

/**
 * In millionths, so that comparison is exact: at most twelve digits before the point and six after it.
 * @throws {ConventionError}
 * @example
 * parseNumber('-12.5'); // -12500000n
 */
export function parseNumber(text: string): bigint {
  const [, sign, whole, decimals = ''] = NUMBER.exec(text) ?? [];
  if (whole === undefined)
    throw new ConventionError(
      `${text} is not a number: write a decimal with at most twelve digits before the point and six after it, such as 12.5`,
    );
  const millionths = BigInt(whole + decimals.padEnd(6, '0'));
  return sign === '-' ? -millionths : millionths;
}
