import { expect, it } from 'vitest';
import { redact } from '../../src/chain/json-rpc.ts';

const URL = 'https://node.example/';

it('what is not seen in a node’s words is shown by its number, in one line', () => {
  expect(redact('a\u200bb\u{e0041}\u001b[2J\u202e\n', URL)).toBe(
    'a\\u200bb\\u{e0041}\\u001b[2J\\u202e\\u000a',
  );
});

it('a node’s words are cut where they are still its own, and no half of a character is left', () => {
  expect(redact('\u200b'.repeat(400), URL)).toBe('\\u200b'.repeat(300));
  expect(redact(`${'x'.repeat(299)}🌊`, URL)).toBe(`${'x'.repeat(299)}\\ud83c`);
});
