import { expect, it } from 'vitest';
import { redact } from '../../src/chain/json-rpc.ts';

const URL = 'https://node.example/';

it.each([
  ['a zero-width space', 'a\u200bb', 'a\\u{200b}b'],
  ['a tag character', 'a\u{e0041}b', 'a\\u{e0041}b'],
  ['ESC', 'a\u001b[2Jb', 'a\\u{1b}[2Jb'],
  ['an override of direction', 'a\u202eb', 'a\\u{202e}b'],
  ['a line feed', 'a\nb', 'a\\u{a}b'],
])('%s in a node’s words is shown by its number', (_, said, shown) => {
  expect(redact(said, URL)).toBe(shown);
});

it('a node’s words are cut where they are still its own, and no half of a character is left', () => {
  expect(redact('\u200b'.repeat(400), URL)).toBe('\\u{200b}'.repeat(300));
  expect(redact(`${'x'.repeat(299)}🌊`, URL)).toBe(`${'x'.repeat(299)}\\u{d83c}`);
});
