import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font } from 'fontkit';
import { type Face, type Measure, SCRIPTS } from './lines.ts';

const { resolve } = createRequire(import.meta.url);
const ofPages = (name: string): string =>
  resolve(`@fontsource-variable/${name}/files/${name}-latin-wght-normal.woff2`);

const BASE: Readonly<Record<Face | 'others', string>> = {
  serif: ofPages('besley'),
  text: ofPages('besley'),
  sans: ofPages('figtree'),
  others: resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
};
const HAN = join(dirname(resolve('@embedpdf/fonts-sc')), '..', 'fonts', 'NotoSansHans-Regular.otf');

/** Remembers every answer of `make`, or at most `most` of them. */
function remembered<Value extends object | number>(make: (key: string) => Value, most = Infinity) {
  const known = new Map<string, Value>();
  return (key: string): Value => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = make(key);
    if (known.size > most) known.clear();
    known.set(key, value);
    return value;
  };
}

const read = remembered((path) => readFileSync(path));

export function fontsFor(text: string): Buffer[] {
  const points = [...new Set(text)].map((character) => character.codePointAt(0)!);
  const found = [...new Set(Object.values(BASE))];
  for (const { sliced, holds } of SCRIPTS) {
    if (!holds.test(text)) continue;
    const needed = sliced ? slicesOf(sliced).filter((slice) => points.some(slice.holds)) : [{ path: HAN }];
    found.push(...needed.map(({ path }) => path));
  }
  return found.map(read);
}

interface Slice {
  path: string;
  holds: (point: number) => boolean;
}

const slicesOf = remembered((name): Slice[] => {
  const ranges = JSON.parse(read(resolve(`@fontsource/${name}/unicode.json`)).toString()) as Record<
    string,
    string
  >;
  return Object.entries(ranges).map(([slice, range]) => {
    const spans = range.split(',').map((span) => {
      const [from, to = from] = span.trim().replace(/^U\+/i, '').split('-');
      return [parseInt(from!, 16), parseInt(to!, 16)] as const;
    });
    return {
      path: resolve(`@fontsource/${name}/files/${name}-${slice.replace(/[[\]]/g, '')}-400-normal.woff2`),
      // Our font has the characters that every font has.
      holds: (point) => point > 0x7f && spans.some(([from, to]) => point >= from && point <= to),
    };
  });
});

const ZERO_WIDTH = /^(?:\p{M}|\p{Join_Control}|\p{Variation_Selector}|\p{Emoji_Modifier})$/u;
const GRAPHEMES = new Intl.Segmenter('und', { granularity: 'grapheme' });
const MISSING = '\u25a1';
/** Combining marks of scripts that the fonts cannot draw. */
const FOREIGN_MARKS =
  /(?!\p{Script_Extensions=Common}|\p{Script=Inherited}|\p{Script=Latin}|\p{Script=Greek}|\p{Script=Cyrillic}|\p{Script=Hebrew}|\p{Script=Arabic}|\p{Script=Thai})\p{M}/u;
const EMOJI = SCRIPTS.at(-1)!;
const WIDE = 1.05;
const WIDEST = 1.35;

function advanceOf(character: string, fonts: readonly Font[]): number {
  if (ZERO_WIDTH.test(character)) return 0;
  const point = character.codePointAt(0)!;
  const font = fonts.find((one) => one.hasGlyphForCodePoint(point));
  if (font) return font.glyphForCodePoint(point).advanceWidth / font.unitsPerEm;
  return EMOJI.holds.test(character) ? WIDEST : WIDE;
}

export function openFonts(): { measure: Measure; drawable: (text: string) => string } {
  const fonts = Object.fromEntries(
    Object.entries(BASE).map(([face, path]) => [face, create(read(path)) as Font]),
  ) as Record<keyof typeof BASE, Font>;
  const advances = Object.fromEntries(
    Object.entries(fonts).map(([face, font]) => [
      face,
      remembered((character) => advanceOf(character, [font, fonts.others]), 7_000),
    ]),
  ) as Record<Face, (character: string) => number>;

  const isDrawn = (character: string): boolean =>
    ZERO_WIDTH.test(character) ||
    SCRIPTS.some(({ holds }) => holds.test(character)) ||
    fonts.others.hasGlyphForCodePoint(character.codePointAt(0)!);

  return {
    measure(text, size, face) {
      let width = 0;
      for (const character of text) width += advances[face](character);
      return width * size;
    },
    drawable: (text) =>
      [...GRAPHEMES.segment(text)]
        .map(({ segment }) =>
          [...segment].every(isDrawn) && !FOREIGN_MARKS.test(segment) ? segment : MISSING,
        )
        .join(''),
  };
}
