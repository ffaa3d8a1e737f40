import { expect, test } from 'vitest';
import { makeProgress } from '../src/context.ts';

const shown = (terminal: boolean): string => {
  let text = '';
  makeProgress({ note: (words) => (text += words), terminal }).show('trees', 3, 12);
  return text;
};

test('progress has a bar on a terminal only', () => {
  expect(shown(false)).toBe('trees 3 of 12\n');
  expect(shown(true)).toMatch(/^\r\[#{6}-{18}\] trees 3 of 12$/);
});
