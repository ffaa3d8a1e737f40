import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { create, type Font } from 'fontkit';
import type { Face, Measure } from './lines.ts';

const { resolve } = createRequire(import.meta.url);
const dejaVu = (name: string): string => resolve(`dejavu-fonts-ttf/ttf/${name}.ttf`);

/** Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic, signs: in every picture. */
const BASE: Readonly<Record<Face, string>> = {
  serif: dejaVu('DejaVuSerif-Bold'),
  text: dejaVu('DejaVuSerif'),
  sans: dejaVu('DejaVuSans'),
};
/** Chinese characters and kana; a large file, loaded for the pictures that need it. */
const HAN = join(dirname(resolve('@embedpdf/fonts-sc')), '..', 'fonts', 'NotoSansHans-Regular.otf');
const IS_HAN = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff00-\uffef]/u;
/** Emoji come in slices, each of some characters. */
const EMOJI = '@fontsource/noto-emoji';
const IS_EMOJI = /[\p{Extended_Pictographic}\p{Regional_Indicator}]/u;

const files = new Map<string, Buffer>();
function read(path: string): Buffer {
  let file = files.get(path);
  if (!file) files.set(path, (file = readFileSync(path)));
  return file;
}

let slices: { path: string; holds: (point: number) => boolean }[] | undefined;

/** The fonts that a text needs, in the order in which a character is looked for. */
export function fontsFor(text: string): Buffer[] {
  const points = [...new Set(text)].map((character) => character.codePointAt(0)!);
  const found = Object.values(BASE);
  if (IS_HAN.test(text)) found.push(HAN);
  if (IS_EMOJI.test(text)) {
    slices ??= emojiSlices();
    found.push(...slices.filter(({ holds }) => points.some(holds)).map(({ path }) => path));
  }
  return found.map(read);
}

function emojiSlices() {
  const ranges = JSON.parse(read(resolve(`${EMOJI}/unicode.json`)).toString()) as Record<string, string>;
  return Object.entries(ranges).map(([name, range]) => {
    const spans = range.split(',').map((span) => {
      const [from, to = from] = span.trim().replace(/^U\+/i, '').split('-');
      return [parseInt(from!, 16), parseInt(to!, 16)] as const;
    });
    return {
      path: resolve(`${EMOJI}/files/noto-emoji-${name.replace(/[[\]]/g, '')}-400-normal.woff2`),
      holds: (point: number) => point > 0x7f && spans.some(([from, to]) => point >= from && point <= to),
    };
  });
}

const ZERO_WIDTH = /^(?:\p{M}|\p{Join_Control}|\p{Variation_Selector}|\p{Emoji_Modifier})$/u;
const WIDE = 1.05;
const WIDEST = 1.35;

/** Widths as the fonts state them, joined letters as if apart: a line is rather too short than too long. */
export function createMeasure(): Measure {
  const fonts = Object.fromEntries(
    Object.entries(BASE).map(([face, path]) => [face, create(read(path)) as Font]),
  ) as Record<Face, Font>;
  const known = new Map<string, number>();

  function advance(character: string, face: Face): number {
    const key = face + character;
    const before = known.get(key);
    if (before !== undefined) return before;
    const width = advanceOf(character, face);
    if (known.size > 20_000) known.clear();
    known.set(key, width);
    return width;
  }

  function advanceOf(character: string, face: Face): number {
    if (ZERO_WIDTH.test(character)) return 0;
    const point = character.codePointAt(0)!;
    for (const font of [fonts[face], fonts.sans]) {
      if (font.hasGlyphForCodePoint(point))
        return font.glyphForCodePoint(point).advanceWidth / font.unitsPerEm;
    }
    return IS_EMOJI.test(character) ? WIDEST : WIDE;
  }

  return (text, size, face) => {
    let width = 0;
    for (const character of text) width += advance(character, face);
    return width * size;
  };
}
