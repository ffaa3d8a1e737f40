import { verify, createPublicKey } from 'node:crypto';
import {
  etchSignedString,
  isStrictPublicKey,
  keySignedString,
  normalizePublicKey,
  operatorSignedString,
  registerSignedString,
  verifySignature,
} from '@svc/protocol';
import { describe, expect, test } from 'vitest';
import { invalidVectors, readVector } from '../../../testing/vectors/vectors.ts';

const vector = readVector('valid/signatures');

interface Signed {
  name: string;
  public_key: string;
  message: string;
  signature: string;
}

function nodeVerifies(publicKey: string, message: string, signature: string): boolean {
  const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), Buffer.from(publicKey, 'hex')]);
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' });
  return verify(null, Buffer.from(message), key, Buffer.from(signature, 'hex'));
}

test('builds the signed strings', () => {
  const made = {
    etch: etchSignedString(vector.user_id, vector.content),
    register: registerSignedString(vector.public_key, vector.issued_at),
    operator: operatorSignedString(vector.user_id, vector.issued_at),
    key: keySignedString(vector.public_key, vector.issued_at),
  };
  for (const { name, text } of vector.signed) expect(made[name as keyof typeof made]).toBe(text);
  expect(() => etchSignedString(vector.user_id, '\ud800')).toThrow(RangeError);
});

test('verifies good signatures, and rejects them after any flipped bit', () => {
  for (const { text, signature } of vector.signed) {
    const good = { publicKey: vector.public_key, message: text, signature };
    expect(verifySignature(good)).toBe(true);
    expect(verifySignature({ ...good, message: Buffer.from(text, 'utf8') })).toBe(true);
    expect(verifySignature({ ...good, signature: signature.toUpperCase() })).toBe(true);
    for (let bit = 0; bit < 512; bit += 7)
      expect(verifySignature({ ...good, signature: flip(signature, bit) })).toBe(false);
    for (let bit = 0; bit < 256; bit += 5)
      expect(verifySignature({ ...good, publicKey: flip(vector.public_key, bit) })).toBe(false);
  }
});

test('normalizes keys in upper case', () => {
  expect(isStrictPublicKey(vector.public_key)).toBe(true);
  expect(isStrictPublicKey(vector.public_key.toUpperCase())).toBe(false);
  expect(normalizePublicKey(vector.public_key.toUpperCase())).toBe(vector.public_key);
});

describe.each([...invalidVectors('small-order'), ...invalidVectors('public-key')])(
  '%s',
  (_, { public_keys }) => {
    test.each(public_keys as string[])('rejects %s', (key) => {
      expect(isStrictPublicKey(key)).toBe(false);
      expect(normalizePublicKey(key)).toBeNull();
      expect(verifySignature({ publicKey: key, message: 'x', signature: `${key}${'00'.repeat(32)}` })).toBe(
        false,
      );
    });
  },
);

test.each(invalidVectors('signature-'))('%s does not verify', (_, { public_key, message, signature }) => {
  expect(verifySignature({ publicKey: public_key, message, signature })).toBe(false);
});

test.each(readVector('valid/signatures-odd').signed as Signed[])(
  '$name: it verifies',
  ({ public_key: publicKey, message, signature }) =>
    expect(verifySignature({ publicKey, message, signature })).toBe(true),
);

test('the small-order signature verifies in node:crypto before OpenSSL 3.5', () => {
  const [major, minor] = process.versions.openssl.split('.').map(Number);
  const { public_key, message, signature } = readVector('invalid/signature-under-a-small-order-key');
  expect(nodeVerifies(public_key, message, signature)).toBe(major! * 100 + minor! < 305);
});

test('returns false for malformed input, and never throws', () => {
  for (const bad of [null, undefined, 5, {}, [], '', 'zz', '\ud800']) {
    const value = bad as string;
    expect(isStrictPublicKey(value)).toBe(false);
    expect(normalizePublicKey(value)).toBeNull();
    const { text, signature } = vector.signed[0];
    expect(verifySignature({ publicKey: value, message: text, signature })).toBe(false);
    expect(verifySignature({ publicKey: vector.public_key, message: value, signature })).toBe(false);
    expect(verifySignature({ publicKey: vector.public_key, message: text, signature: value })).toBe(false);
  }
});

function flip(hex: string, bit: number): string {
  const bytes = Buffer.from(hex, 'hex');
  bytes[bit >> 3]! ^= 1 << (bit & 7);
  return bytes.toString('hex');
}
