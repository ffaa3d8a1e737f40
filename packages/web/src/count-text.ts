export const countText = (
  count: number,
  one: string,
  many = `${one.replace(/([^aeiou])y$/, '$1ie')}${/[sxh]$/.test(one) ? 'es' : 's'}`,
): string => `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

const ENDINGS: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd', other: 'th' };
const rules = new Intl.PluralRules('en', { type: 'ordinal' });

/** 1st, 2nd, 3rd, 11th. */
export const ordinal = (place: number): string =>
  `${place.toLocaleString('en')}${ENDINGS[rules.select(place)]}`;
