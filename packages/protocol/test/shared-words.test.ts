import { expect, test } from 'vitest';
import { sharedWords } from '../src/index.ts';

const text = 'High water comes at 14:12, and the red mark stays dry.';

test.each([
  ['High water comes at noon', 'high water comes at'],
  ['about HIGH, water -- comes AT last', 'high water comes at'],
  ['the red\nmark stays', 'the red mark stays'],
  ['14:12 and the tide', '14 12 and the'],
  ['stays dry', null],
  ['high water comes', null],
  ['high water comes late at the red mark', null],
  ['igh water comes at', null],
  ['', null],
])('%j shares %j', (description, shared) => {
  expect(sharedWords(description, text)).toBe(shared);
});

test('letters of every script count, composed or not', () => {
  expect(sharedWords('ein fru\u0308hes ja im mai', 'Ein frühes Ja im Mai')).toBe('ein frühes ja im');
  expect(sharedWords('a b c d', 'a b c')).toBeNull();
});
