import type { Dice } from '../../../../testing/seeded.ts';

/** JSON that `JSON.stringify` does not write. */
export const RAW = {
  of: (json: string) => `\u0001raw ${Buffer.from(json).toString('hex')}\u0001`,
  put: (text: string) =>
    text.replaceAll(/"\\u0001raw ([0-9a-f]*)\\u0001"/g, (_, hex: string) =>
      Buffer.from(hex, 'hex').toString(),
    ),
};

const NUMBERS = [
  '0', '-0', '-1', '1', '1.0', '1e0', '10e-1', '2', '2.0', '3', '1.5', '7.0', '10000', '10001', '1e4', '31337.0', '3.1337e4',
  '9007199254740991', '9007199254740992', '9007199254740993', '9007199254740991.0', '1e400', '-1e400', '5e-324',
  '123456789012345678901234567890', 'NaN', 'Infinity', '01', '+1', '.5', '1.', '0x10',
]; // oxfmt-ignore
const TIMES = [
  '2026-02-30T00:00:00.000Z', '2024-02-29T00:00:00.000Z', '2026-02-29T00:00:00.000Z', '1900-02-29T00:00:00.000Z',
  '2000-02-29T00:00:00.000Z', '0000-02-29T00:00:00.000Z', '0000-01-01T00:00:00.000Z', '2026-05-06T24:00:00.000Z',
  '2026-05-06T23:59:60.000Z', '2026-05-06T07:60:00.000Z', '2026-13-01T00:00:00.000Z', '2026-00-01T00:00:00.000Z',
  '2026-01-00T00:00:00.000Z', '10000-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z', '2026-05-06T07:08:21.00Z',
  '2026-05-06T07:08:21.0000Z', '2026-05-06T07:08:21.000+00:00', '2026-05-06t07:08:21.000z', '2026-05-06 07:08:21.000Z',
  '٢٠٢٦-05-06T07:08:21.000Z', '1969-12-31T23:59:59.999Z',
]; // oxfmt-ignore
const OTHERS: unknown[] = [null, true, false, '', [], {}, 'x', '\0', '\ud800', 'a\udc00b', '\ud83d\ude00', '0x', ['x'], { x: 1 }, [null], 'sealed', 'revealed', 'retracted', '1', '2']; // oxfmt-ignore

export function mutateValue(value: unknown, dice: Dice): unknown {
  if (dice.chance(6)) return dice.pick(OTHERS);
  if (dice.chance(10)) return RAW.of(dice.pick(NUMBERS));
  if (typeof value === 'number') return mutateNumber(value, dice);
  if (typeof value === 'string') return mutateString(value, dice);
  if (Array.isArray(value)) return mutateList(value, dice);
  return value === null
    ? dice.pick([...OTHERS, 1, 5, 'f'.repeat(64), `0x${'f'.repeat(64)}`, ...TIMES])
    : extended(value, dice);
}

function mutateNumber(value: number, dice: Dice): unknown {
  const same = [`${value}.0`, `${value}e0`, `${value}0e-1`, `${value}.00e+0`].map(RAW.of);
  const others = [value + 1, value - 1, value * 2, -value, value + 0.5, String(value)];
  return dice.pick<unknown>([...same, ...others, value ^ (1 << dice.below(14))]);
}

function mutateString(value: string, dice: Dice): string {
  const at = dice.below(value.length + 1);
  const put = (middle: string, cut = 0) => value.slice(0, at) + middle + value.slice(at + cut);
  const ways: (() => string)[] = [
    () => value.toUpperCase(),
    () => value.toLowerCase(),
    () => checksummed(value),
    () => value.replace('0x', '0X'),
    () => (value.startsWith('0x') ? value.slice(2) : `0x${value}`),
    () => put(dice.pick([...'0123456789abcdefgA |-\n\0\u2028Zé']), 1),
    () => put(dice.pick([...'0123456789abcdef']), 1),
    () => put(dice.pick([...'0aA \n\r\t\0\ufeff', '\ud800', '\udc00', '\ud83d\ude00'])),
    () => put('', 1),
    () => `${value}\n`,
    () => ` ${value}`,
    () => value.replaceAll('-', ''),
    () => value.slice(0, at),
    () => value + value,
    () => value.replace(/\.\d{3}Z/, dice.pick(['Z', '.1Z', '.124Z', '.123z', '.123+00:00'])),
    () => value.replace(/\d{4}-\d\d-\d\dT[^|"]{8}\.\d{3}Z/, dice.pick(TIMES)),
    () => value.replace(/[0-9]/, '٣'),
    () => [...value].reverse().join(''),
    () => dice.pick(TIMES),
  ];
  return dice.pick(ways)();
}

const checksummed = (value: string) =>
  value.replaceAll(/[a-f]/g, (letter, at: number) => (at % 3 === 0 ? letter.toUpperCase() : letter));

function mutateList(value: unknown[], dice: Dice): unknown[] {
  const extra = 'ab'.repeat(32);
  const ways = [
    () => value.slice(1),
    () => value.slice(0, -1),
    () => [...value, extra],
    () => [...value].reverse(),
    () => [...value, ...value],
    () => Array.from({ length: dice.pick([13, 14, 15, 16]) }, () => extra),
    () => [...value, null],
    () => [value],
    () => Object.assign({}, value),
  ];
  return dice.pick(ways)();
}

function extended(value: unknown, dice: Dice): unknown {
  return {
    ...(value as object),
    [dice.pick(['x', '__proto__ ', 'toString', 'hash', 'kind'])]: dice.pick(OTHERS),
  };
}

const KEY = /"([a-z_]+)":/g;
/** Put after the first brace. */
const AFTER_BRACE = [
  '"__proto__":{"hash":1},',
  '/**/',
  '"deep":[[[[[[[[[[1]]]]]]]]]],',
  '"number":1e999,',
  '"lone":"\\ud800",',
  '"bad":"\\uZZZZ",',
  '"bad":"\\x41",',
];

export function mutateText(text: string, dice: Dice): string {
  const keys = [...text.matchAll(KEY)];
  const [field, key] = dice.pick(keys.length > 0 ? keys : [[text, 'x']]) as unknown as [string, string];
  const other = () => `"${key}":${JSON.stringify(dice.pick(OTHERS))}`;
  const escaped = `\\u00${key.charCodeAt(0).toString(16)}${key.slice(1)}`;
  const ways = [
    ...['\ufeff', '\ufeff\ufeff', '\n\t ', '\u00a0'].map((before) => () => `${before}${text}`),
    ...['\r\n', '\0', '{}'].map((after) => () => `${text}${after}`),
    ...AFTER_BRACE.map((put) => () => text.replace('{', `{${put}`)),
    () => `[${text}]`,
    // The last of equal keys counts.
    () => text.replace('{', `{${other()},`),
    () => `${text.slice(0, text.lastIndexOf('}'))},${other()}}`,
    () => text.replace(field, `${other()},${field}`),
    () => text.replace(field, field.replace(key, escaped)),
    () => text.replace(/}$/, ',}'),
    () => text.replaceAll('"', "'"),
    () => text.replace('"', '"\t'),
  ];
  return dice.pick(ways)();
}
