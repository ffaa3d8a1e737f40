import { expect, test } from 'vitest';
import {
  isBlindSeal,
  padBlind,
  QUICKNET,
  roundTime,
  TimelockError,
  unpadBlind,
} from '@svc/protocol/timelock';

test.each(['x', 'It will rain.', '🌊'.repeat(250), '\ufeffwith a mark', ' spaces '])(
  'the padded size does not reveal the length of the text: %j',
  (text) => {
    expect(padBlind(text).length).toBe(1_002);
    expect(unpadBlind(padBlind(text))).toBe(text);
  },
);

test.each(['', '  ', 'x'.repeat(1_001), '🌊'.repeat(251), 'a\0b', '\ud800'])('rejects %j', (text) => {
  expect(() => padBlind(text)).toThrow(TimelockError);
});

test('rejects any other padding', () => {
  const good = padBlind('Rain.');
  const put = (at: number, ...bytes: number[]) => {
    const changed = good.slice();
    changed.set(bytes, at);
    return changed;
  };
  for (const bad of [
    put(1_001, 1),
    put(0, 0, 4),
    put(0, 0, 0),
    put(0, 0xff, 0xff),
    put(2, 0xff),
    good.slice(1),
    new Uint8Array(),
  ])
    expect(() => unpadBlind(bad)).toThrow(TimelockError);
});

test('accepts only the pinned chain and a future round', () => {
  const at = roundTime(QUICKNET, 1_000);
  expect(isBlindSeal({ chainHash: QUICKNET.hash, round: 1_001 }, QUICKNET, at)).toBe(true);
  expect(isBlindSeal({ chainHash: QUICKNET.hash, round: 1_000 }, QUICKNET, at)).toBe(false);
  expect(isBlindSeal({ chainHash: 'f'.repeat(64), round: 1_001 }, QUICKNET, at)).toBe(false);
});
