import { expect, test } from 'vitest';
import { painter, wantsColors } from '../src/context.ts';

test('colors need a terminal, and end with NO_COLOR', () => {
  expect(wantsColors({ TERM: 'xterm' }, true)).toBe(true);
  expect(wantsColors({ NO_COLOR: '' }, true)).toBe(true);
  expect(wantsColors({ NO_COLOR: '1' }, true)).toBe(false);
  expect(wantsColors({ TERM: 'dumb' }, true)).toBe(false);
  expect(wantsColors({}, undefined)).toBe(false);
});

test('colors the verdicts of checks, and no text of an author', () => {
  const text = 'PASS  The words: match\n      FAIL: no\nWAIT: later\nPASSING\nINFO  PASS\n';
  expect(painter('verify')(text)).toBe(
    '\u001b[32mPASS\u001b[39m  The words: match\n      FAIL: no\n\u001b[33mWAIT\u001b[39m: later\nPASSING\nINFO  PASS\n',
  );
  expect(painter('show')(text)).toBe(text);
});
