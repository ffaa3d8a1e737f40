import { expect, it } from 'vitest';
import { redact } from '../../src/chain/json-rpc.ts';

const URL = 'https://node.example/';

it.each([
  ['a zero-width space', 'a\u200bb', 'a\\u200bb'],
  ['a tag character', 'a\u{e0041}b', 'a\\u{e0041}b'],
  ['ESC', 'a\u001b[2Jb', 'a\\u001b[2Jb'],
  ['an override of direction', 'a\u202eb', 'a\\u202eb'],
  ['a line feed', 'a\nb', 'a\\u000ab'],
])('%s in a node’s words is shown by its number', (_, said, shown) => {
  expect(redact(said, URL)).toBe(shown);
});

it('a node’s words are cut where they are still its own, and no half of a character is left', () => {
  expect(redact('\u200b'.repeat(400), URL)).toBe('\\u200b'.repeat(300));
  expect(redact(`${'x'.repeat(299)}🌊`, URL)).toBe(`${'x'.repeat(299)}\\ud83c`);
});
