/** Spaces between groups of three digits. */
const GROUPS = /(?<=\d)[ \u00a0\u2009\u202f](?=\d{3}(?!\d))/g;
const NUMBER = /^([+\-\u2212]?)(\d*)(?:\.(\d*))?(?:e([+\-\u2212]?\d{1,2}))?$/i;
const MINUS = /\u2212/g;

/**
 * The plain digits that the convention takes (docs/conventions.md#forecasts), of a number as people and programs write
 * it: `1e6`, `+5`, `.5`, `−3`, `1 000 000`. Other text is returned unchanged. The decimals of a plain number stay.
 */
export function plainNumber(text: string): string {
  const [, sign, whole = '', decimals = '', power = '0'] = NUMBER.exec(text.replace(GROUPS, '')) ?? [];
  const digits = whole + decimals;
  if (sign === undefined || digits === '') return text;
  const at = whole.length + Number(power.replace(MINUS, '-'));
  const before =
    digits
      .slice(0, Math.max(0, at))
      .padEnd(at, '0')
      .replace(/^0+(?=\d)/, '') || '0';
  const after = (at < 0 ? '0'.repeat(-at) : '') + digits.slice(Math.max(0, at));
  const isPlain = power === '0' && after.length <= 6;
  const kept = isPlain ? after : after.replace(/0+$/, '');
  return `${sign === '+' ? '' : sign.replace(MINUS, '-')}${before}${kept && `.${kept}`}`;
}
