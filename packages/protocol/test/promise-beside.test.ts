import { expect, test } from 'vitest';
import {
  isPromiseSigned,
  parsePromise,
  parsePromiseV2,
  promisedBeside,
  PromiseError,
  promiseTextV2,
} from '../src/index.ts';
import { invalidVectors, readVector } from '../../../testing/vectors/vectors.ts';

const promises = readVector('valid/promises-v2').promises as Record<string, any>[];

test.each(promises)('$topic, $mode: what stands beside the words is promised', (vector) => {
  const { promise, parts, beside } = parsePromiseV2({ ...vector.promise, of_later_versions: true });
  expect(promise).toEqual(vector.promise);
  expect(parts).toMatchObject({ etchId: vector.etch_id, hash: vector.hash, anchorBy: vector.anchor_by });
  const { description, topic, mode, reveal_at: revealAt, challenge_id: challengeId } = vector;
  expect(beside).toEqual(promisedBeside({ description, topic, mode, revealAt, challengeId }));
  expect(promiseTextV2(parts, beside)).toBe(vector.promise.text);
  expect(isPromiseSigned(promise)).toBe(true);
  expect(() => parsePromise(promise)).toThrow(PromiseError);
});

test.each(invalidVectors('promise-'))('%s is refused as version 2', (_, { promise }) => {
  const isGood = () => isPromiseSigned(parsePromiseV2(promise).promise);
  try {
    expect(isGood()).toBe(false);
  } catch (error) {
    expect(error).toBeInstanceOf(PromiseError);
  }
});
