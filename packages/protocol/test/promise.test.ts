import { expect, test } from 'vitest';
import {
  anchorBy,
  isPromiseSigned,
  parsePromise,
  promiseEnd,
  PromiseError,
  promiseText,
} from '../src/index.ts';
import { invalidVectors, readVector } from '../../../testing/vectors/vectors.ts';

test.each(readVector('valid/promises').promises as Record<string, any>[])(
  'an etch of $created_on is promised by $anchor_by',
  (vector) => {
    const { promise, parts } = parsePromise({ ...vector.promise, of_later_versions: true });
    expect(promise).toEqual(vector.promise);
    expect(parts).toEqual({
      etchId: vector.etch_id,
      userId: vector.user_id,
      hash: vector.hash,
      anchorBy: vector.anchor_by,
    });
    expect(promiseText(parts)).toBe(vector.promise.text);
    expect(anchorBy(vector.created_on)).toBe(vector.anchor_by);
    expect(isPromiseSigned(promise)).toBe(true);
  },
);

test('it ends with its day', () => {
  expect(new Date(promiseEnd('2026-12-31')).toISOString()).toBe('2027-01-01T00:00:00.000Z');
});

test.each(invalidVectors('promise-'))('%s is refused', (_, { promise }) => {
  const isGood = () => isPromiseSigned(parsePromise(promise).promise);
  try {
    expect(isGood()).toBe(false);
  } catch (error) {
    expect(error).toBeInstanceOf(PromiseError);
  }
});

test.each([null, [], 'x', {}])('%j is no promise', (value) => {
  expect(() => parsePromise(value)).toThrow(PromiseError);
});
