import { expect, test } from 'vitest';
import { challengeState, changeText } from '../src/live-state.ts';

test('the state of a challenge is the same for separate takedowns and for the sum of erased answers', () => {
  const streamed = challengeState({ closed: true }, { etches: 3, retracted: 2 });
  expect(challengeState({ closed: true }, { etches: 3, retracted: 1, taken_down: 1 })).toBe(streamed);
});

test.each([
  ['revealed.pending.none', 'revealed.anchored.none', 'the anchor arrived'],
  ['sealed.pending.none', 'sealed.anchored.none', 'the anchor arrived'],
  ['sealed.anchored.none', 'revealed.anchored.none', 'the words opened'],
  ['revealed.anchored.none', 'retracted.anchored.pending', 'the words were erased'],
  ['retracted.anchored.pending', 'retracted.anchored.revoked', 'the erasure arrived on the chain'],
  ['revealed.pending.none', 'revealed.failed.none', 'the chain became unreachable'],
  ['revealed.anchored.none', 'revealed.pending.none', 'the status changed'],
  ['open.2.0', 'open.3.0', 'an answer arrived'],
  ['open.3.0', 'open.3.1', 'an answer was erased'],
  ['open.3.1', 'closed.3.1', 'the challenge closed'],
])('an open page announces the change from %s to %s', (before, after, text) => {
  expect(changeText(before, after)).toBe(text);
});
