import { expect, test } from 'vitest';
import { createSharedPlaces } from '../../src/processes/places.ts';

test('places are counted over all processes, and those of one that ended are free', () => {
  const places = createSharedPlaces();
  expect([1, 2, 1, 2].map((process) => places.hold(process, 'a', 3))).toEqual([true, true, true, false]);
  expect(places.hold(2, 'b', 1)).toBe(true);
  places.ended(1);
  expect([1, 1, 1].map((process) => places.hold(process, 'a', 3))).toEqual([true, true, false]);
  expect(places.hold(1, 'b', 1)).toBe(false);
  places.release(2, 'b');
  expect(places.hold(1, 'b', 1)).toBe(true);
});

test('nobody gives back what another holds, nor more than it has', () => {
  const places = createSharedPlaces();
  places.hold(1, 'a', 1);
  places.release(2, 'a');
  expect(places.hold(2, 'a', 1)).toBe(false);
  places.release(1, 'a');
  places.release(1, 'a');
  expect([places.hold(2, 'a', 1), places.hold(2, 'a', 1)]).toEqual([true, false]);
});
