import { expect, test } from 'vitest';
import { generatedDocs } from '../../scripts/docs.mjs';
import { read } from '../../testing/repository.ts';

/** Without what oxfmt sets: the width of table columns, the lines of JSON. */
const plain = (page: string, text: string): string =>
  page.endsWith('.json')
    ? JSON.stringify(JSON.parse(text))
    : text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');

test.each(Object.entries(generatedDocs()))('%s is what node scripts/docs.mjs writes', (page, text) => {
  expect(plain(page, read(page))).toBe(plain(page, text));
});
