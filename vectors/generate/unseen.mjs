// Judged manually.
const hex = (codePoint) => codePoint.toString(16).toUpperCase().padStart(4, '0');
const range = ([first, last], why) => ({ first: hex(first), last: hex(last), ...(why && { why }) });

const UNSEEN = [
  [[0x00, 0x08], 'control'],
  [[0x0b, 0x1f], 'control'],
  [[0x7f, 0x9f], 'control'],
  [[0xad, 0xad], 'soft hyphen'],
  [[0x34f, 0x34f], 'combining grapheme joiner'],
  [[0x61c, 0x61c], 'direction'],
  [[0x115f, 0x1160], 'filler'],
  [[0x17b4, 0x17b5], 'vowel that is not written'],
  [[0x180b, 0x180f], 'Mongolian selectors and vowel separator'],
  [[0x200b, 0x200d], 'zero-width space, non-joiner, joiner'],
  [[0x200e, 0x200f], 'direction'],
  [[0x2028, 0x2029], 'line and paragraph separator'],
  [[0x202a, 0x202e], 'direction'],
  [[0x2060, 0x2065], 'word joiner, operators that are not written, reserved'],
  [[0x2066, 0x2069], 'direction'],
  [[0x206a, 0x206f], 'shaping, deprecated'],
  [[0x3164, 0x3164], 'filler'],
  [[0xd800, 0xdfff], 'surrogate without its other half'],
  [[0xfe00, 0xfe0f], 'variation selector'],
  [[0xfeff, 0xfeff], 'byte order mark'],
  [[0xffa0, 0xffa0], 'filler'],
  [[0xfff0, 0xfff8], 'reserved as ignorable'],
  [[0xfff9, 0xfffb], 'annotation'],
  [[0x1bca0, 0x1bca3], 'shorthand format'],
  [[0x1d173, 0x1d17a], 'musical format'],
  [[0xe0000, 0xe00ff], 'tags, and reserved as ignorable'],
  [[0xe0100, 0xe01ef], 'variation selector'],
  [[0xe01f0, 0xe0fff], 'reserved as ignorable'],
];

const SYMBOLS = [
  ...[0xa9, 0xae, 0x203c, 0x2049, 0x2122, 0x2139].map((one) => [one, one]),
  [0x2190, 0x21ff],
  [0x2300, 0x23ff],
  [0x24c2, 0x24c2],
  [0x25a0, 0x27bf],
  [0x2900, 0x297f],
  [0x2b00, 0x2bff],
  ...[0x3030, 0x303d, 0x3297, 0x3299].map((one) => [one, one]),
  [0x1f000, 0x1faff],
];
const JOINING = [
  [0x600, 0x109f],
  [0x1780, 0x18af],
  [0x1b00, 0x1cff],
  [0xa840, 0xabff],
  [0xfb50, 0xfdff],
  [0xfe70, 0xfefc],
  [0x10a00, 0x11fff],
  [0x1e900, 0x1e95f],
];
const AT_WORK = [
  {
    why: 'joiner and non-joiner in scripts written with them',
    unseen: [[0x200c, 0x200d]],
    after: JOINING,
  },
  {
    why: 'joiner between two symbols; U+FE0F may stand between the first and it',
    unseen: [[0x200d, 0x200d]],
    after: SYMBOLS,
    before: SYMBOLS,
  },
  { why: 'text or emoji form of a symbol', unseen: [[0xfe0e, 0xfe0f]], after: SYMBOLS },
  {
    why: 'keycap',
    unseen: [[0xfe0f, 0xfe0f]],
    after: [
      [0x23, 0x23],
      [0x2a, 0x2a],
      [0x30, 0x39],
    ],
    before: [[0x20e3, 0x20e3]],
  },
  {
    why: 'form of an ideograph',
    unseen: [
      [0xfe00, 0xfe02],
      [0xe0100, 0xe01ef],
    ],
    after: [
      [0x3400, 0x9fff],
      [0xf900, 0xfaff],
      [0x20000, 0x3ffff],
    ],
  },
  {
    why: 'form of a Mongolian letter',
    unseen: [
      [0x180b, 0x180d],
      [0x180f, 0x180f],
    ],
    after: [[0x1820, 0x18aa]],
  },
];

const flag = (letters) =>
  `\u{1f3f4}${[...letters].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('')}\u{e007f}`;

/** `<202E>` replaces a character that is shown by its number. */
const TEXTS = [
  ['a family', '👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
  ['a skin tone before a joiner', '👩🏽\u200d🚀', '👩🏽\u200d🚀'],
  ['a selector before a joiner', '❤\ufe0f\u200d🔥', '❤\ufe0f\u200d🔥'],
  ['a selector after the joined', '🏴\u200d☠\ufe0f', '🏴\u200d☠\ufe0f'],
  ['emoji and text form', '☀\ufe0f☀\ufe0e', '☀\ufe0f☀\ufe0e'],
  ['a keycap', '1\ufe0f\u20e3 #\ufe0f\u20e3', '1\ufe0f\u20e3 #\ufe0f\u20e3'],
  ['flags of letters', '🇺🇳', '🇺🇳'],
  [
    'three flags of tags',
    flag('gbeng') + flag('gbsct') + flag('gbwls'),
    flag('gbeng') + flag('gbsct') + flag('gbwls'),
  ],
  ['Persian', 'می\u200cخواهم', 'می\u200cخواهم'],
  ['Hindi', 'क\u094d\u200dष', 'क\u094d\u200dष'],
  ['an ideograph in one of its forms', '葛\u{e0100}城', '葛\u{e0100}城'],
  ['a Mongolian letter in one of its forms', 'ᠭ\u180bᠠ', 'ᠭ\u180bᠠ'],
  ['tab and line feed', 'a\tb\nc', 'a\tb\nc'],
  ['direction', 'a\u202eb\u2066c\u200ed\u061ce', 'a<202E>b<2066>c<200E>d<061C>e'],
  ['controls', '\u0000\u001b[31m\u009b\u007f', '<0000><001B>[31m<009B><007F>'],
  ['carriage returns', 'a\r\nb\rc', 'a<000D>\nb<000D>c'],
  ['zero-width space, word joiner, byte order mark', 'a\u200bb\u2060c\ufeffd', 'a<200B>b<2060>c<FEFF>d'],
  ['soft hyphen, fillers', 'a\u00adb\u3164c\uffa0d\u115fe', 'a<00AD>b<3164>c<FFA0>d<115F>e'],
  ['a joiner among Latin letters', 'a\u200db\u200cc', 'a<200D>b<200C>c'],
  ['a joiner after an emoji, with none to join', '😀\u200d', '😀<200D>'],
  ['a joiner before an emoji, with none to join', 'a\u200d😀', 'a<200D>😀'],
  ['two joiners', '👩\u200d\u200d👧', '👩<200D><200D>👧'],
  ['a second joiner in Persian', 'ی\u200c\u200cخ', 'ی\u200c<200C>خ'],
  ['selectors in a row hide words', '😀\ufe0f\ufe0f\u{e0154}\u{e0155}', '😀\ufe0f<FE0F><E0154><E0155>'],
  ['a selector of a letter', 'a\ufe0fb', 'a<FE0F>b'],
  ['a digit without its keycap', '1\ufe0f', '1<FE0F>'],
  ['two forms of one ideograph', '葛\u{e0100}\u{e0101}', '葛\u{e0100}<E0101>'],
  ['tags alone', 'a\u{e0068}\u{e0069}', 'a<E0068><E0069>'],
  ['a flag of no country', flag('gbxx'), '🏴<E0067><E0062><E0078><E0078><E007F>'],
  ['a flag without its end', '🏴\u{e0067}\u{e0062}\u{e0065}', '🏴<E0067><E0062><E0065>'],
  ['the end of an ayah is seen', 'ا\u06ddا', 'ا\u06ddا'],
  ['spaces of every width are seen', 'a\u00a0b\u2003c\u3000d', 'a\u00a0b\u2003c\u3000d'],
  ['surrogates without their other half', 'a\ud83db\ude00c', 'a<D83D>b<DE00>c'],
];

export function* unseenVectors() {
  yield [
    'valid/unseen-characters',
    {
      about:
        'characters of a stranger’s text that are shown by their number, and where they stay because they are at work',
      unseen: UNSEEN.map(([one, why]) => range(one, why)),
      at_work: AT_WORK.map(({ why, unseen, after, before }) => ({
        why,
        unseen: unseen.map((one) => range(one)),
        after: after.map((one) => range(one)),
        ...(before && { before: before.map((one) => range(one)) }),
      })),
      flags: ['gbeng', 'gbsct', 'gbwls'].map((letters) =>
        [...flag(letters)].map((one) => hex(one.codePointAt(0))),
      ),
      texts: TEXTS.map(([name, text, shown]) => ({ name, text, shown })),
    },
  ];
}
