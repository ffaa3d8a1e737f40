import { createHash } from 'node:crypto';
import {
  canonicalString,
  codePointLength,
  etchHash,
  isWellFormedText,
  parseCanonicalString,
} from '@svc/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readVector } from '../../../testing/vectors/vectors.ts';

const parts = {
  userId: '62f746b4-84e6-4ceb-95bd-447e7184d454',
  createdAt: '2026-01-14T03:04:05.137Z',
  salt: 'ab'.repeat(32),
  content: 'x',
};
const wellFormed = fc.string({ unit: 'binary' }).filter((text) => !text.includes('\0'));

test('hashes the vectors, with both SHA-256 functions', () => {
  for (const e of readVector('valid/hashes').etches) {
    const { user_id: userId, created_at: createdAt, salt, content } = e;
    const made = canonicalString({ userId, createdAt, salt, content });
    expect(made, e.name).toBe(e.canonical_string);
    expect(etchHash(made), e.name).toBe(e.hash);
    expect(createHash('sha256').update(made, 'utf8').digest('hex'), e.name).toBe(e.hash);
  }
});

test('parses the canonical string of any text', () => {
  fc.assert(
    fc.property(wellFormed, (content) => {
      const canonical = canonicalString({ ...parts, content });
      expect(parseCanonicalString(canonical)).toEqual({ ...parts, content });
      expect(etchHash(canonical)).toBe(createHash('sha256').update(canonical, 'utf8').digest('hex'));
    }),
  );
});

describe('rejects parts without a canonical form', () => {
  test.each([
    ['upper-case user id', { userId: parts.userId.toUpperCase() }],
    ['user id without dashes', { userId: parts.userId.replaceAll('-', '') }],
    ['time without milliseconds', { createdAt: '2026-01-14T03:04:05Z' }],
    ['time with an offset', { createdAt: '2026-01-14T03:04:05.137+00:00' }],
    ['impossible date', { createdAt: '2026-02-30T03:04:05.137Z' }],
    ['hour 24', { createdAt: '2026-01-14T24:00:00.000Z' }],
    ['short salt', { salt: 'ab'.repeat(31) }],
    ['upper-case salt', { salt: 'AB'.repeat(32) }],
    ['lone high surrogate', { content: 'a\ud800' }],
    ['lone low surrogate', { content: '\udc00b' }],
    ['surrogates in the wrong order', { content: '\udc00\ud800' }],
    ['NUL', { content: 'a\0b' }],
  ])('%s', (_, fault) => {
    expect(() => canonicalString({ ...parts, ...fault })).toThrow(RangeError);
    const { userId, createdAt, salt, content } = { ...parts, ...fault };
    expect(parseCanonicalString(`svc:v1|${userId}|${createdAt}|${salt}|${content}`)).toBeNull();
  });

  test('returns null for a different tag or a missing field', () => {
    const canonical = canonicalString(parts);
    for (const text of [canonical.replace('v1', 'v2'), canonical.slice(0, 60), ''])
      expect(parseCanonicalString(text)).toBeNull();
  });

  test('rejects text that UTF-8 cannot encode', () => {
    for (const text of ['\ud83d', '\0']) expect(() => etchHash(text)).toThrow(RangeError);
  });
});

test('counts characters as code points', () => {
  expect(codePointLength('🙂'.repeat(2000))).toBe(2000);
  expect(codePointLength('')).toBe(0);
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => codePointLength(text) === [...text].length));
  const anyUnits = fc.array(fc.constantFrom('\ud83d', '\ude42', 'a')).map((units) => units.join(''));
  fc.assert(fc.property(anyUnits, (text) => codePointLength(text) === [...text].length));
});

test('accepts text that survives UTF-8 and has no NUL', () => {
  const anyUnits = fc
    .array(fc.constantFrom('\ud83d', '\ude42', 'a', 'é', '\0'))
    .map((units) => units.join(''));
  fc.assert(
    fc.property(
      anyUnits,
      (text) =>
        isWellFormedText(text) ===
        (Buffer.from(text, 'utf8').toString('utf8') === text && !text.includes('\0')),
    ),
  );
});
