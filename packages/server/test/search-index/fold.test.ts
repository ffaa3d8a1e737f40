// Runs without a database.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readVector } from '../../../../testing/vectors/vectors.ts';
import { fold, SEPARATOR, searchText } from '../../src/search-index/fold.ts';

const lower = (text: string): string =>
  Array.from(text, (character) => (character === 'ς' ? 'σ' : character.toLowerCase())).join('');

const holds = (work: (a: string, b: string) => void) =>
  fc.assert(fc.property(text, text, (a, b) => void work(a, b)));
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...'aA %_\\ßİi\u0307ςΣQé😀字Z.'), maxLength: 40 }),
);

describe('fold', () => {
  test('contains a folded part exactly if the lower-cased text contains the lower-cased part', () => {
    fc.assert(
      fc.property(text, text, fc.nat(40), fc.nat(6), (a, b, from, length) => {
        const part = [...a].slice(from, from + length).join('');
        for (const [whole, q] of [[a, part] as const, [a, b] as const, [b, part] as const])
          expect(fold(whole).includes(fold(q))).toBe(lower(whole).includes(lower(q)));
      }),
      { numRuns: 3_000 },
    );
  });

  test('uses letters and digits only, and never the separator', () =>
    holds((a) => expect(fold(a)).toMatch(/^[a-zA-Y0-9]*$/)));

  test('gives distinct lower-cased texts distinct folds', () =>
    holds((a, b) => expect(fold(a) === fold(b)).toBe(lower(a) === lower(b))));

  test('folds a whole like its parts', () => holds((a, b) => expect(fold(a + b)).toBe(fold(a) + fold(b))));

  test('writes at least one letter per code point, three for special ones, so that each has a trigram', () => {
    expect(fold('a')).toBe('a');
    for (const character of ['%', 'é', 'ж', '字', '😀'])
      expect(fold(character).length).toBeGreaterThanOrEqual(3);
  });

  test('no match spans description and text', () => {
    expect(searchText('the end', 'begin')).toBe(`theXend${SEPARATOR}begin`);
    expect(searchText('the end', null)).toBe(`theXend${SEPARATOR}`);
  });

  test('indexes the chain and round of a blind seal, not its ciphertext', () => {
    const { seals, texts } = readVector('valid/blind-seals');
    const { words } = seals[0];
    const [tag, chain, round, ciphertext] = words.split('|');
    expect(searchText('the end', words)).toBe(`theXend${SEPARATOR}${fold([tag, chain, round].join('|'))}`);
    const cut = texts.find(({ name }: { name: string }) => name === 'a file that was cut').words;
    expect(searchText('', cut)).toBe(SEPARATOR + fold(cut));
    expect(fold(cut)).toContain(fold(ciphertext.slice(0, 100)));
  });
});
