export type Face = 'serif' | 'text' | 'sans';

export type Measure = (text: string, size: number, face: Face) => number;

const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });
const BREAKS_ANYWHERE =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|\p{Script=Khmer}/u;
const STRONG = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]|\p{L}/u;
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
const LONGEST_GRAPHEME = 16;

export function wrap(
  text: string,
  size: number,
  face: Face,
  measure: Measure,
  width: number,
  most: number,
): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of pieces(simpleEmoji(text))) {
    if (lines.length > most) break;
    for (const part of fitting(piece, width, (one) => measure(one, size, face))) {
      const longer = line + part;
      if (line !== '' && measure(longer.trimEnd(), size, face) > width) {
        lines.push(line.trim());
        line = part.trimStart();
      } else line = longer;
    }
  }
  if (line.trim() !== '') lines.push(line.trim());
  if (lines.length <= most) return lines.length > 0 ? lines : [''];
  const kept = lines.slice(0, most);
  kept[most - 1] = shorten(kept[most - 1]!, width, (one) => measure(one, size, face));
  return kept;
}

export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(STRONG.exec(text)?.[0] ?? '');

/** The font has no combined emoji and no flags. */
function simpleEmoji(text: string): string {
  if (!/[\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(text)) return text;
  return [...GRAPHEMES.segment(text)]
    .map(({ segment }) => {
      if (/^\p{Regional_Indicator}/u.test(segment))
        return [...segment].map((one) => String.fromCodePoint(one.codePointAt(0)! - 0x1f1e6 + 0x41)).join('');
      return /^\p{Extended_Pictographic}/u.test(segment) ? [...segment][0]! : segment;
    })
    .join('');
}

/** Yields a word with its blank, or one character of a script without blanks. */
function* pieces(text: string): Generator<string> {
  for (const word of text.match(/\s*\S+\s*/g) ?? []) {
    if (!BREAKS_ANYWHERE.test(word)) yield word;
    else yield* graphemes(word);
  }
}

function* fitting(piece: string, width: number, widthOf: (text: string) => number): Generator<string> {
  if (widthOf(piece.trim()) <= width) {
    yield piece;
    return;
  }
  let part = '';
  for (const grapheme of graphemes(piece)) {
    if (part !== '' && widthOf(part + grapheme) > width) {
      yield part;
      part = '';
    }
    part += grapheme;
  }
  yield part;
}

function shorten(line: string, width: number, widthOf: (text: string) => number): string {
  const kept = [...graphemes(line)];
  while (kept.length > 0 && widthOf(`${kept.join('').trimEnd()}…`) > width) kept.pop();
  return `${kept.join('').trimEnd()}…`;
}

function* graphemes(text: string): Generator<string> {
  for (const { segment } of GRAPHEMES.segment(text)) yield [...segment].slice(0, LONGEST_GRAPHEME).join('');
}

export interface Script {
  family: string;
  sliced?: string;
  holds: RegExp;
}

/** The renderer sets scripts wrongly whose vowels precede their consonants, so they are missing here. */
export const SCRIPTS: readonly Script[] = [
  {
    family: 'Noto Sans Hans',
    holds: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u,
  },
  { family: 'Noto Sans Thai', sliced: 'noto-sans-thai', holds: /\p{Script=Thai}/u },
  { family: 'Gowun Dodum', sliced: 'gowun-dodum', holds: /\p{Script=Hangul}/u },
  {
    family: 'Noto Emoji',
    sliced: 'noto-emoji',
    holds: /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u,
  },
];

/** Characters that the typefaces of the pages lack. */
const OTHERS: Script = {
  family: 'DejaVu Sans',
  holds: /[^ -\u00ff\u0131\u0152\u0153\u02c6\u02da\u02dc\u2013\u2014\u2018-\u201e\u2022\u2026\u20ac\u2122]/u,
};

const JOINS = /\p{M}|\p{Join_Control}|\p{Emoji_Modifier}/u;

interface Run {
  script: Script | undefined;
  text: string;
}

/** The renderer confuses fonts within one run. */
export function runsOf(line: string): Run[] {
  const runs: Run[] = [];
  for (const character of line) {
    const last = runs.at(-1);
    const script =
      last && JOINS.test(character)
        ? last.script
        : [...SCRIPTS, OTHERS].find(({ holds }) => holds.test(character));
    if (last && last.script === script) last.text += character;
    else runs.push({ script, text: character });
  }
  return runs;
}
