// Runs without a database.
import { gzipSync } from 'node:zlib';
import { renderToString } from 'preact-render-to-string';
import { expect, it } from 'vitest';
import { etch, pending, site } from '../../../../../testing/views.ts';
import { weight } from '../../../../web/test/built.ts';
import { apiReferencePage, readReference } from '../../../src/http/pages/api-reference.tsx';
import { etchPage } from '../../../src/http/pages/etch.tsx';

it('each page of the reference of the API, with its style, weighs at most 25 kB', () => {
  const reference = readReference(site.baseUrl, Date.UTC(2026, 0, 2));
  const heavy = reference.chapters
    .map((chapter) => {
      const parts = chapter.parts.map((part) => renderToString(part));
      const html = gzipSync(apiReferencePage(site, reference, { ...chapter, parts }).html).length;
      return { slug: chapter.slug, weight: html + weight('site') };
    })
    .filter((page) => page.weight > 25_000);
  expect(heavy).toEqual([]);
});

it('an etch page with its style weighs at most 25 kB', () => {
  const content = Array.from({ length: 2_000 }, (_, n) =>
    String.fromCodePoint(0x4e00 + ((n * 7919) % 20_000)),
  ).join('');
  const html = gzipSync(etchPage(site, etch({ content, canonical_string: content })).html).length;
  expect(html + weight('site')).toBeLessThanOrEqual(25_000);
});

it('an anchored etch offers every way to share it, a pending one only its link', () => {
  const shared = (chain = etch().chain): string =>
    etchPage(site, etch({ chain })).html.split('id="share"')[1]!.split('</section>')[0]!;
  for (const part of ['qr.svg', 'receipt.html', '/evidence', 'card-', '&lt;iframe', 'abc234'])
    expect(shared(), part).toContain(part);
  expect(shared(pending)).not.toMatch(/receipt|card-/);
  expect(shared(pending)).toContain('once the etch is anchored');
});
