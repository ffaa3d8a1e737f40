// Probabilities as people type and read them: percent. The stored words have decimals (docs/conventions.md#forecasts).
import { plainNumber } from './plain-number.ts';

/** 100 % in millionths. */
export const WHOLE = 1_000_000;
export const ONE_PERCENT = WHOLE / 100;

/** Exact and without a sign, as in a field that is followed by one: `28.3333`. */
export const percentText = (millionths: number): string =>
  String(Number((millionths / ONE_PERCENT).toFixed(4)));

/** Exact: `28.3333 %`. */
const chanceText = (millionths: number): string => `${percentText(millionths)} %`;

/** Rounded for people: `28 %`, `0.4 %`, `<0.1 %`. The folded text of an etch has the exact value. */
export function roundChance(millionths: number): string {
  const percent = millionths / ONE_PERCENT;
  if (percent > 0 && percent < 0.1) return '<0.1 %';
  if (percent > 99.9 && percent < 100) return '>99.9 %';
  return `${Number(percent.toFixed(percent < 1 || percent > 99 ? 1 : 0))} %`;
}

/** The same on a page, where no line ends before the sign. */
export const shownChance = (millionths: number): string => roundChance(millionths).replace(' ', '\u00a0');

/** The sum before the first chance is typed. */
export const NO_SUM = '0 % of 100 %';

/** `120 %: 20 % too much`, `75 %: 25 % is missing` or `100 %`. */
export function sumText(millionths: number): string {
  const sum = chanceText(millionths);
  if (millionths === WHOLE) return sum;
  return millionths > WHOLE
    ? `${sum}: ${chanceText(millionths - WHOLE)} too much`
    : `${sum}: ${chanceText(WHOLE - millionths)} is missing`;
}

/**
 * The millionths of a typed probability, or why it is none: 72, 72 %, 72% and 0.72 are equal, and a number above 1 is
 * a percentage. A lone 1 is rejected because it could mean one percent or certain and cannot be corrected later; 1.0
 * is certain.
 */
export function readChance(text: string): number | string {
  const [, typed = '', sign] = /^(.*?)\s*(%?)$/s.exec(text) ?? [];
  const number = plainNumber(typed);
  if (number === '1' && sign === '') return '1 has two meanings: write 1 % or 100 %';
  const [, whole, decimals = ''] = /^(\d{1,3})(?:\.(\d{1,6}))?$/.exec(number) ?? [];
  const isPercent = sign === '%' || Number(whole) > 1 || (whole === '1' && /[1-9]/.test(decimals));
  const exact = isPercent ? 4 : 6;
  const millionths =
    Number(whole) * (isPercent ? ONE_PERCENT : WHOLE) + Number(decimals.slice(0, exact).padEnd(exact, '0'));
  return whole === undefined || millionths > WHOLE || /[1-9]/.test(decimals.slice(exact))
    ? `${text} is not a chance: write a percentage from 0 to 100 with at most four decimals, such as 72.5`
    : millionths;
}

/** The same in a field that is followed by a percent sign: 1 is 1 %, and 0.2 is 0.2 %. */
export const readPercent = (text: string): number | string =>
  readChance(text.endsWith('%') ? text : `${text} %`);

/** Splits a rest over fields, in whole percent if it is whole. */
export function spread(rest: number, fields: number): number[] {
  const unit = rest % ONE_PERCENT === 0 ? ONE_PERCENT : 1;
  const units = rest / unit;
  return Array.from({ length: fields }, (_, at) => {
    const more = at < units % fields ? 1 : 0;
    return (Math.floor(units / fields) + more) * unit;
  });
}

/** Multiplies chances so that they add up to 100 %, in whole percent if no chance becomes 0 %. The largest one takes the rest. */
export function scale(chances: readonly number[]): number[] {
  const total = chances.reduce((sum, chance) => sum + chance, 0);
  const share = (chance: number): number => (chance * WHOLE) / total;
  const unit = chances.every((chance) => chance === 0 || share(chance) >= ONE_PERCENT) ? ONE_PERCENT : 1;
  const shares = chances.map((chance) => Math.floor(share(chance) / unit) * unit);
  const rest = WHOLE - shares.reduce((sum, one) => sum + one, 0);
  shares[shares.indexOf(Math.max(...shares))]! += rest;
  return shares;
}
