// Runs without a database.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { printable, printableJson } from '../../../cli/src/context.ts';
import { visibleJson } from '../../../mcp/src/visible-json.ts';
import { safeLine } from '../../../web/src/safe-text.ts';
import { safe } from '../../../web/src/parts/values.tsx';
import { inline, visible } from '../../src/records/record-markdown.ts';

const page = (text: string) => renderToString(safe(text)).replace(/^<bdi>|<\/bdi>$/g, '');
const inside = (json: string) => json.slice(1, -1);
const unit = (code: number) => `\\u${code.toString(16).padStart(4, '0')}`;
const units = (codePoint: number) =>
  ({ 8: '\\b', 12: '\\f', 13: '\\r' })[codePoint] ??
  Array.from({ length: codePoint > 0xffff ? 2 : 1 }, (_, at) =>
    unit(String.fromCodePoint(codePoint).charCodeAt(at)),
  ).join('');
const numbered = (codePoint: number) => `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;

/** Each place has its own notation for an invisible character. */
const PLACES: [
  place: string,
  print: (text: string) => string | Promise<string>,
  name: (codePoint: number) => string,
][] = [
  ['the terminal', printable, (at) => (at > 0xffff ? `\\u{${at.toString(16)}}` : unit(at))],
  ['JSON in the terminal', (text) => inside(printableJson(text)), units],
  ['a page', page, (at) => `<span class="unseen">${numbered(at)}</span>`],
  ['a page’s title', safeLine, (at) => `[${numbered(at)}]`],
  ['markdown', visible, (at) => `\\u{${at.toString(16)}}`],
  ['a line of markdown', inline, (at) => `\\\\u\\{${at.toString(16)}\\}`],
  ['an answer to an agent', async (text) => inside(await visibleJson(text)), units],
];

interface Vector {
  unseen: { first: string; last: string }[];
  texts: { name: string; text: string; shown: string }[];
}
const file = join(import.meta.dirname, '../../../../vectors/valid/unseen-characters.json');
const vector = JSON.parse(readFileSync(file, 'utf8')) as Vector;
const unseen = new Set(
  vector.unseen.flatMap(({ first, last }) => {
    const from = Number.parseInt(first, 16);
    return Array.from({ length: Number.parseInt(last, 16) - from + 1 }, (_, index) => from + index);
  }),
);

// Each place escapes ASCII in its own way and collapses spaces, so both are left out.
const seen = Array.from({ length: 0x10ffff - 0xa0 }, (_, index) => index + 0xa1)
  .filter((codePoint) => !unseen.has(codePoint))
  .map((codePoint) => String.fromCodePoint(codePoint))
  .filter((character) => !/\s/u.test(character))
  .join('');

describe.each(PLACES)('text of users in %s', (_place, print, name) => {
  it('shows every character of the table by its number', async () => {
    const different: number[] = [];
    for (const codePoint of unseen)
      if ((await print(`a${String.fromCodePoint(codePoint)}b`)) !== `a${name(codePoint)}b`)
        different.push(codePoint);
    expect(different.map(numbered)).toEqual([]);
  });

  it('shows every other character as it is', async () => {
    // An answer to an agent has at most two million characters.
    const half = (seen.length >> 1) + (seen.codePointAt((seen.length >> 1) - 1)! > 0xffff ? 1 : 0);
    for (const part of [seen.slice(0, half), seen.slice(half)])
      expect((await print(part)) === part).toBe(true);
  });

  it.each(
    vector.texts
      .filter(({ text }) => !/[\s<#\\[]/u.test(text))
      .map(({ name: of, ...one }) => [of, one] as const),
  )('%s', async (_of, { text, shown }) => {
    const expected = shown.replace(/<([0-9A-F]+)>/g, (_all, digits: string) =>
      name(Number.parseInt(digits, 16)),
    );
    expect(await print(text)).toBe(expected);
  });
});
