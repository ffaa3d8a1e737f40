import { describe, expect, it } from 'vitest';
import { CHANGES_NEIGHBORS, FLAG_TAILS, INVISIBLE } from '../src/invisible-characters.ts';
import { replaceInvisible, escapeInvisibleInJson, invisibleIn } from '../src/index.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';

interface Range {
  first: string;
  last: string;
}
interface Vector {
  unseen: Range[];
  at_work: { unseen: Range[]; after: Range[]; before?: Range[] }[];
  flags: string[][];
  texts: { name: string; text: string; shown: string }[];
}
const vector = readVector('valid/unseen-characters') as Vector;

function merged(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const found: [number, number][] = [];
  for (const [first, last] of [...ranges].sort(([a], [b]) => a - b)) {
    const before = found.at(-1);
    if (before && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else found.push([first, last]);
  }
  return found;
}
const read = (ranges: Range[]): [number, number][] =>
  merged(ranges.map(({ first, last }) => [Number.parseInt(first, 16), Number.parseInt(last, 16)]));
const numbered = (codePoint: number): string => `<${codePoint.toString(16).toUpperCase().padStart(4, '0')}>`;

describe('invisible characters', () => {
  it('are the characters of the vectors', () => {
    expect(merged(INVISIBLE)).toEqual(read(vector.unseen));
    expect(
      CHANGES_NEIGHBORS.map(({ invisible, after, before }) => [
        merged(invisible),
        merged(after),
        before && merged(before),
      ]),
    ).toEqual(
      vector.at_work.map(({ unseen, after, before }) => [read(unseen), read(after), before && read(before)]),
    );
    const hex = (one: string) => numbered(one.codePointAt(0)!).slice(1, -1);
    expect(FLAG_TAILS.map((tail) => ['1F3F4', ...[...tail].map(hex)])).toEqual(vector.flags);
  });

  it('are the ignorable, control, direction and line-break characters of Unicode', () => {
    const ignored =
      /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffb]/u;
    const different: string[] = [];
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint++) {
      const expected = codePoint !== 9 && codePoint !== 10 && ignored.test(String.fromCodePoint(codePoint));
      if (INVISIBLE.some(([first, last]) => first <= codePoint && codePoint <= last) !== expected)
        different.push(numbered(codePoint));
    }
    expect(different).toEqual([]);
  });

  it.each(vector.texts.map(({ name, text, shown }) => [name, text, shown]))('%s', (_name, text, shown) => {
    expect(replaceInvisible(text, numbered)).toBe(shown);
    expect(JSON.parse(escapeInvisibleInJson(JSON.stringify(text)))).toBe(text);
  });

  it('are shown by number, between letters and at both ends', () => {
    for (const [first, last] of INVISIBLE)
      for (let codePoint = first; codePoint <= last; codePoint++) {
        const text = String.fromCodePoint(codePoint);
        for (const around of ['', 'ab', 'a', 'b']) {
          const [before, after] = around === 'b' ? ['', 'b'] : [around.slice(0, 1), around.slice(1)];
          if (replaceInvisible(before + text + after, numbered) !== before + numbered(codePoint) + after)
            expect.fail(`${numbered(codePoint)} between "${before}" and "${after}"`);
        }
      }
  });

  it('are found at their positions', () => {
    expect([...invisibleIn('😀a\u{e0041}b\u200b')]).toEqual([
      { index: 3, codePoint: 0xe0041 },
      { index: 6, codePoint: 0x200b },
    ]);
  });
});
