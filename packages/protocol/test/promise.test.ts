import { expect, test } from 'vitest';
import {
  anchorBy,
  bytesToHex,
  hashDescription,
  isPromiseSigned,
  parseCanonicalString,
  parsePromise,
  promiseEnd,
  PromiseError,
  promiseLeaf,
  promiseText,
  promiseWords,
} from '../src/index.ts';
import { invalidVectors, readVector } from '../../../testing/vectors/vectors.ts';

const vectors = readVector('valid/promises').promises as Record<string, any>[];

test.each(vectors)('reads the promise of etch $etch_id', (vector) => {
  const { promise, fields } = parsePromise({ ...vector.promise, of_later_versions: true });
  expect(promise).toEqual(vector.promise);
  const { hash, topic, mode } = vector;
  expect(fields).toEqual({
    etchId: vector.etch_id,
    userId: vector.user_id,
    hash,
    anchorBy: vector.anchor_by,
    topic,
    mode,
    revealAt: vector.reveal_at,
    challengeId: vector.challenge_id,
    descriptionHash: hashDescription(vector.description),
    words: promiseWords(vector.nonce, vector.content),
  });
  expect(promiseText(fields)).toBe(vector.promise.text);
  expect(bytesToHex(promiseLeaf(promise.text))).toBe(vector.leaf);
  expect(anchorBy(vector.created_at.slice(0, 10))).toBe(vector.anchor_by);
  expect(isPromiseSigned(promise)).toBe(true);
});

test('the vectors have paths of every kind: none, of an odd tree, and the longest', () => {
  const lengths = new Set(vectors.map(({ promise }) => promise.path.length));
  expect([...lengths].toSorted()).toEqual([0, 1, 2, 8]);
});

test('the promised day ends after its last millisecond', () => {
  expect(new Date(promiseEnd('2026-12-31')).toISOString()).toBe('2027-01-01T00:00:00.000Z');
});

test('reads a promise whose nonce was left out', () => {
  const { nonce: _, ...shown } = vectors[0]!['promise'];
  expect(parsePromise(shown).promise).toEqual(shown);
  expect(isPromiseSigned(parsePromise({ ...shown, nonce: null }).promise)).toBe(true);
});

test.each([
  ['the promise', /is not an object/, (): unknown => [vectors[0]!['promise']]],
  ['the promise', /is not an object/, (): unknown => 'svc-promise'],
  ['public_key', /^public_key/, (one: any) => ({ ...one, public_key: one.public_key.toUpperCase() })],
  ['signature', /^signature/, (one: any) => ({ ...one, signature: one.signature.toUpperCase() })],
  ['nonce', /^nonce/, (one: any) => ({ ...one, nonce: 'AB'.repeat(32) })],
  ['text', /^text is not a string/, (one: any) => ({ ...one, text: [one.text] })],
])('names the fault of %s', (_, message, change) => {
  const parse = () => parsePromise(change(vectors[0]!['promise']));
  expect(parse).toThrow(PromiseError);
  expect(parse).toThrow(message);
});

test.each(invalidVectors('promise-'))('rejects %s', (_, { promise }) => {
  const isGood = () => isPromiseSigned(parsePromise(promise).promise);
  try {
    expect(isGood()).toBe(false);
  } catch (error) {
    expect(error).toBeInstanceOf(PromiseError);
  }
});

test.each(invalidVectors('content-'))(
  '%s has a good signature and content that does not fit',
  (_, vector) => {
    const { promise, fields } = parsePromise(vector.promise);
    expect(isPromiseSigned(promise)).toBe(true);
    const revealed = parseCanonicalString(vector.canonical_string ?? '')?.content;
    expect(promiseWords(promise.nonce!, revealed ?? vector.content)).not.toBe(fields.words);
  },
);

test.each([null, [], 'x', {}])('rejects %j', (value) => {
  expect(() => parsePromise(value)).toThrow(PromiseError);
});
