/** docs/protocol.md#27-characters-that-are-not-seen */
type Range = readonly [first: number, last: number];

const ranges = (text: string): readonly Range[] =>
  text.split(' ').map((part) => {
    const [first, last] = part.split('-').map((digits) => parseInt(digits, 16));
    return [first!, last ?? first!];
  });

/**
 * Controls, default-ignorables, bidirectional controls, line separators, annotations, unpaired surrogates.
 */
export const INVISIBLE = ranges(
  '00-08 0b-1f 7f-9f ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200b-200f 2028-202e 2060-206f 3164 d800-dfff fe00-fe0f feff ffa0 fff0-fffb 1bca0-1bca3 1d173-1d17a e0000-e0fff',
);

/** Emoji, modifiers and the letters of flags. */
const SYMBOLS = ranges(
  'a9 ae 203c 2049 2122 2139 2190-21ff 2300-23ff 24c2 25a0-27bf 2900-297f 2b00-2bff 3030 303d 3297 3299 1f000-1faff',
);

/** Scripts that use joiners. */
const JOINING = ranges('600-109f 1780-18af 1b00-1cff a840-abff fb50-fdff fe70-fefc 10a00-11fff 1e900-1e95f');
const IDEOGRAPHS = ranges('3400-9fff f900-faff 20000-3ffff');
const MONGOLIAN = ranges('1820-18aa');
const KEYS = ranges('23 2a 30-39');

/** An invisible character changes its visible neighbors here. */
export const CHANGES_NEIGHBORS: readonly {
  invisible: readonly Range[];
  after: readonly Range[];
  before?: readonly Range[];
}[] = [
  { invisible: ranges('200c-200d'), after: JOINING },
  // A variation selector may precede the joiner.
  { invisible: ranges('200d'), after: SYMBOLS, before: SYMBOLS },
  { invisible: ranges('fe0e-fe0f'), after: SYMBOLS },
  { invisible: ranges('fe0f'), after: KEYS, before: ranges('20e3') },
  { invisible: ranges('fe00-fe02 e0100-e01ef'), after: IDEOGRAPHS },
  { invisible: ranges('180b-180d 180f'), after: MONGOLIAN },
];

/** The flags of England, Scotland and Wales: a black flag followed by invisible letters. */
const FLAG = 0x1f3f4;
export const FLAG_TAILS = ['gbeng', 'gbsct', 'gbwls'].map((name) =>
  String.fromCodePoint(...[...name].map((letter) => 0xe0000 + letter.charCodeAt(0)), 0xe007f),
);
const EMOJI_FORM = 0xfe0f;

export interface InvisibleCharacter {
  /** UTF-16 units */
  index: number;
  codePoint: number;
}

/**
 * Skips joiners and selectors that change a visible character.
 * @example
 * [...invisibleIn('pay\u202epal')]; // [{ index: 3, codePoint: 0x202e }]
 * [...invisibleIn('👩\u200d🌾')]; // []
 */
export function* invisibleIn(text: string): Generator<InvisibleCharacter> {
  let flagEnds = 0;
  for (const { 0: character, index } of text.matchAll(ANY_INVISIBLE)) {
    if (index < flagEnds) continue;
    const codePoint = character.codePointAt(0)!;
    const flag = flagTailAt(text, index);
    if (flag !== undefined) flagEnds = index + flag.length;
    else if (!changesNeighbors(text, index, codePoint)) yield { index, codePoint };
  }
}

/**
 * @example
 * replaceInvisible('pay\u202epal', (codePoint) => `<${codePoint.toString(16)}>`); // 'pay<202e>pal'
 */
export function replaceInvisible(text: string, show: (codePoint: number) => string): string {
  let shown = '';
  let from = 0;
  for (const { index, codePoint } of invisibleIn(text)) {
    shown += text.slice(from, index) + show(codePoint);
    from = index + lengthOf(codePoint);
  }
  return shown + text.slice(from);
}

const escape = (codePoint: number): string => {
  const digits = codePoint.toString(16).padStart(4, '0');
  return digits.length > 4 ? `\\u{${digits}}` : `\\u${digits}`;
};

/**
 * Keeps line ends.
 * @example
 * escapeInvisible('pay\u202epal\n'); // 'pay\\u202epal\n'
 */
export const escapeInvisible = (text: string): string => replaceInvisible(text, escape);

/**
 * A foreign text cannot imitate a line of our output.
 * @example
 * escapeInvisibleInLine('pay\u202epal\n'); // 'pay\\u202epal\\u000a'
 */
export const escapeInvisibleInLine = (text: string): string =>
  escapeInvisible(text).replace(/[\t\n]/g, (character) => escape(character.charCodeAt(0)));

/**
 * Parses to the same value.
 * @example
 * escapeInvisibleInJson(JSON.stringify({ a: '\u200b' })); // '{"a":"\\u200b"}'
 */
export const escapeInvisibleInJson = (json: string): string =>
  replaceInvisible(json, (codePoint) =>
    String.fromCodePoint(codePoint)
      .split('')
      .map((unit) => escape(unit.charCodeAt(0)))
      .join(''),
  );

const ANY_INVISIBLE = new RegExp(
  `[${INVISIBLE.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join('')}]`,
  'gu',
);

const lengthOf = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1);

const isIn = (ranges: readonly Range[], codePoint: number | undefined): boolean =>
  codePoint !== undefined && ranges.some(([first, last]) => first <= codePoint && codePoint <= last);

function changesNeighbors(text: string, index: number, codePoint: number): boolean {
  const next = text.codePointAt(index + lengthOf(codePoint));
  return CHANGES_NEIGHBORS.some(({ invisible, after, before }) => {
    if (!isIn(invisible, codePoint)) return false;
    let last = codePointBefore(text, index);
    if (before === SYMBOLS && last === EMOJI_FORM) last = codePointBefore(text, index - 1);
    return isIn(after, last) && !isIn(INVISIBLE, last) && (before === undefined || isIn(before, next));
  });
}

function codePointBefore(text: string, index: number): number | undefined {
  const low = text.charCodeAt(index - 1);
  if (Number.isNaN(low)) return undefined;
  const pair = low >= 0xdc00 && low <= 0xdfff && index > 1 ? text.codePointAt(index - 2)! : low;
  return pair > 0xffff ? pair : low;
}

const flagTailAt = (text: string, index: number): string | undefined =>
  codePointBefore(text, index) === FLAG ? FLAG_TAILS.find((tail) => text.startsWith(tail, index)) : undefined;
