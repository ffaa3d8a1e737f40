// Runs without a database.
import { expect, it } from 'vitest';
import { redact } from '../../src/chain/json-rpc.ts';

const URL = 'https://node.example/';

it('shows invisible characters of a node’s message by number, in one line', () => {
  expect(redact('a\u200bb\u{e0041}\u001b[2J\u202e\n', URL)).toBe(
    'a\\u200bb\\u{e0041}\\u001b[2J\\u202e\\u000a',
  );
});

it('truncates a node’s message without cutting a character', () => {
  expect(redact('\u200b'.repeat(400), URL)).toBe('\\u200b'.repeat(300));
  expect(redact(`${'x'.repeat(299)}🌊`, URL)).toBe(`${'x'.repeat(299)}\\ud83c`);
});
