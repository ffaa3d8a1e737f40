import fc from 'fast-check';
import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { describe, expect, it } from 'vitest';
import { cut, safeLine, splitInvisible } from '../src/safe-text.ts';
import { prose } from '../src/parts/prose.tsx';
import { safe, TextNodes } from '../src/parts/values.tsx';
import { dayText, spanText, timeText, withQuery } from '../src/format.ts';

describe('spans', () => {
  it.each([
    [0, 'less than a second'],
    [40_000, '40 s'],
    [60_000, '1 min'],
    [95_000, '1 min 35 s'],
    [2 * 3_600_000 + 5 * 60_000, '2 h 5 min'],
    [86_400_000, '1 day'],
    [12.4 * 86_400_000, '12 days'],
    [-5_000, 'less than a second'],
  ])('%i ms is %s', (milliseconds, text) => expect(spanText(milliseconds)).toBe(text));
});

describe('times', () => {
  it('are shown in UTC, with the requested precision', () => {
    const time = '2026-03-09T05:06:07.089Z';
    expect(dayText('2026-03-09')).toBe('9 March 2026');
    expect(timeText(time)).toBe('9 March 2026, 05:06 UTC');
    expect(timeText(time, 'seconds')).toBe('9 March 2026, 05:06:07 UTC');
    expect(timeText(time, 'exact')).toBe('9 March 2026, 05:06:07.089 UTC');
  });
});

describe('texts', () => {
  it('split at invisible characters', () => {
    expect(splitInvisible('a\u202eb\r\nc\rd')).toEqual([
      { text: 'a', invisible: false },
      { text: 'U+202E', invisible: true },
      { text: 'b\nc', invisible: false },
      { text: 'U+000D', invisible: true },
      { text: 'd', invisible: false },
    ]);
    expect(safeLine('  a\n\u001bb ')).toBe('a [U+001B]b');
  });

  it('are equal as markup and as nodes', () => {
    const signs = ['<', '>', '&', '"', "'", '\u202e', '\u200d', '\r\n', '<script>', '&lt;', 'ä'];
    const sign = fc.constantFrom(...signs);
    const text = fc.array(fc.oneof(sign, fc.string({ unit: 'binary' }))).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (children) => {
        expect(renderToString(safe(children))).toBe(renderToString(h(TextNodes, { children })));
      }),
    );
  });

  it('are cut by code points', () => {
    expect(cut('😀😀😀', 3)).toBe('😀😀😀');
    expect(cut('😀😀😀😀', 3)).toBe('😀😀…');
  });
});

describe('queries', () => {
  it('leave out empty values, join lists, escape the rest', () => {
    expect(withQuery('/search', { q: 'a&b ä', category: ['ai', 'tech'], sort: '', page: null })).toBe(
      '/search?q=a%26b%20%C3%A4&category=ai,tech',
    );
    expect(withQuery('/search', {})).toBe('/search');
  });
});

it('reads our own sentences as Markdown, and no value in them', () => {
  const value = '**<b>** ~c~ [x](y)';
  expect(
    renderToString(prose`
    ## a-b: One ~two~

    **A** *b* [${value}](/c?d=${1})
    e ${value}

    - One
    - Two

    | run ${value}
    |   it
  `),
  ).toBe(
    '<h2 id="a-b">One <code>two</code></h2>' +
      '<p><strong>A</strong> <em>b</em> <a href="/c?d=1">**&lt;b>** ~c~ [x](y)</a> e **&lt;b>** ~c~ [x](y)</p>' +
      '<ul><li>One</li><li>Two</li></ul><pre><code>run **&lt;b>** ~c~ [x](y)\n  it</code></pre>',
  );
});
