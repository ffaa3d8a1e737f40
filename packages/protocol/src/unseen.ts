/**
 * What a reader cannot see in a text of someone else's, or what acts on the reader's screen: one table, which terminal,
 * pages, markdown and MCP show by number, each in its own notation
 * (docs/protocol.md#11-characters-that-are-not-seen; vectors/valid/unseen-characters.json). Tab and line feed
 * are not in it: a place that has lines shows them.
 */
type Range = readonly [first: number, last: number];

/** Controls; what Unicode calls default-ignorable, reserved ones included; bidirectional controls; line separators; annotations; unpaired surrogates. */
export const UNSEEN: readonly Range[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
  [0x1bca0, 0x1bca3],
  [0x1d173, 0x1d17a],
  [0xe0000, 0xe0fff],
];

/** Blocks of emoji and of symbols that have an emoji's form, their modifiers and flag letters among them. */
const SYMBOLS: readonly Range[] = [
  [0xa9, 0xa9],
  [0xae, 0xae],
  [0x203c, 0x203c],
  [0x2049, 0x2049],
  [0x2122, 0x2122],
  [0x2139, 0x2139],
  [0x2190, 0x21ff],
  [0x2300, 0x23ff],
  [0x24c2, 0x24c2],
  [0x25a0, 0x27bf],
  [0x2900, 0x297f],
  [0x2b00, 0x2bff],
  [0x3030, 0x3030],
  [0x303d, 0x303d],
  [0x3297, 0x3297],
  [0x3299, 0x3299],
  [0x1f000, 0x1faff],
];

/** Blocks of the scripts that are written with joiners: Arabic and its kin, the scripts of India and around, Mongolian. */
const JOINING: readonly Range[] = [
  [0x600, 0x109f],
  [0x1780, 0x18af],
  [0x1b00, 0x1cff],
  [0xa840, 0xabff],
  [0xfb50, 0xfdff],
  [0xfe70, 0xfefc],
  [0x10a00, 0x11fff],
  [0x1e900, 0x1e95f],
];
const IDEOGRAPHS: readonly Range[] = [
  [0x3400, 0x9fff],
  [0xf900, 0xfaff],
  [0x20000, 0x3ffff],
];
const MONGOLIAN: readonly Range[] = [[0x1820, 0x18aa]];
const KEYS: readonly Range[] = [
  [0x23, 0x23],
  [0x2a, 0x2a],
  [0x30, 0x39],
];

/** Where one of them changes how its neighbours are drawn: they show it, and a number in its place would break them. */
export const AT_WORK: readonly {
  unseen: readonly Range[];
  after: readonly Range[];
  before?: readonly Range[];
}[] = [
  { unseen: [[0x200c, 0x200d]], after: JOINING },
  // An emoji's selector may stand before the joiner.
  { unseen: [[0x200d, 0x200d]], after: SYMBOLS, before: SYMBOLS },
  { unseen: [[0xfe0e, 0xfe0f]], after: SYMBOLS },
  { unseen: [[0xfe0f, 0xfe0f]], after: KEYS, before: [[0x20e3, 0x20e3]] },
  {
    unseen: [
      [0xfe00, 0xfe02],
      [0xe0100, 0xe01ef],
    ],
    after: IDEOGRAPHS,
  },
  {
    unseen: [
      [0x180b, 0x180d],
      [0x180f, 0x180f],
    ],
    after: MONGOLIAN,
  },
];

/** The flags of England, Scotland and Wales: a black flag and letters that are not seen. */
const FLAG = 0x1f3f4;
export const FLAG_TAILS = ['gbeng', 'gbsct', 'gbwls'].map((name) =>
  String.fromCodePoint(...[...name].map((letter) => 0xe0000 + letter.charCodeAt(0)), 0xe007f),
);
const EMOJI_FORM = 0xfe0f;

/** A character that is to be shown by its number, and where it stands. */
export interface Unseen {
  /** in UTF-16 units, as a string counts */
  index: number;
  codePoint: number;
}

/**
 * Each character of the text that cannot be seen and changes nothing that can: joiners and selectors at work stay.
 * @example
 * [...unseenIn('pay\u202epal')]; // [{ index: 3, codePoint: 0x202e }]
 * [...unseenIn('👩\u200d🌾')]; // []
 */
export function* unseenIn(text: string): Generator<Unseen> {
  let flagEnds = 0;
  for (const { 0: character, index } of text.matchAll(ANY_UNSEEN)) {
    if (index < flagEnds) continue;
    const codePoint = character.codePointAt(0)!;
    const flag = flagTailAt(text, index);
    if (flag !== undefined) flagEnds = index + flag.length;
    else if (!isAtWork(text, index, codePoint)) yield { index, codePoint };
  }
}

/**
 * The text with `show` in place of every character that is not seen.
 * @example
 * showUnseen('pay\u202epal', (codePoint) => `<${codePoint.toString(16)}>`); // 'pay<202e>pal'
 */
export function showUnseen(text: string, show: (codePoint: number) => string): string {
  let shown = '';
  let from = 0;
  for (const { index, codePoint } of unseenIn(text)) {
    shown += text.slice(from, index) + show(codePoint);
    from = index + lengthOf(codePoint);
  }
  return shown + text.slice(from);
}

/**
 * JSON text with escapes in place of what is not seen: it parses to the same.
 * @example
 * showUnseenInJson(JSON.stringify({ a: '\u200b' })); // '{"a":"\\u200b"}'
 */
export const showUnseenInJson = (json: string): string =>
  showUnseen(json, (codePoint) =>
    String.fromCodePoint(codePoint)
      .split('')
      .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join(''),
  );

const ANY_UNSEEN = new RegExp(
  `[${UNSEEN.map(([first, last]) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`).join('')}]`,
  'gu',
);

/** In UTF-16 units. */
const lengthOf = (codePoint: number): number => (codePoint > 0xffff ? 2 : 1);

const isIn = (ranges: readonly Range[], codePoint: number | undefined): boolean =>
  codePoint !== undefined && ranges.some(([first, last]) => first <= codePoint && codePoint <= last);

function isAtWork(text: string, index: number, codePoint: number): boolean {
  const next = text.codePointAt(index + lengthOf(codePoint));
  return AT_WORK.some(({ unseen, after, before }) => {
    if (!isIn(unseen, codePoint)) return false;
    let last = codePointBefore(text, index);
    if (before === SYMBOLS && last === EMOJI_FORM) last = codePointBefore(text, index - 1);
    return isIn(after, last) && !isIn(UNSEEN, last) && (before === undefined || isIn(before, next));
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
