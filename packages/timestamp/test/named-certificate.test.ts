import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readNamedCertificate } from '../src/signature.ts';

const SEQUENCE = 0x30;
const OCTETS = 0x04;
const der = (tag: number, ...parts: Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const body = Buffer.concat(parts);
  return Uint8Array.from([tag, body.length, ...body]);
};
/** The newer attribute, whose default digest is SHA-256. */
const naming = (...parts: Uint8Array[]) => der(SEQUENCE, der(SEQUENCE, der(SEQUENCE, ...parts)));
const SHA_512 = der(SEQUENCE, Buffer.from('0609608648016503040203', 'hex'));

describe('the certificate that a signature names', () => {
  // About one hash in some hundred begins as an ASN.1 value of the right length.
  test.each([
    ['any bytes', Buffer.concat([Buffer.from([0xff, 0xff]), randomBytes(30)])],
    ['the bytes of an octet string', Buffer.concat([Buffer.from([OCTETS, 30]), randomBytes(30)])],
    ['the bytes of a number', Buffer.concat([Buffer.from([0x02, 30]), randomBytes(30)])],
    ['the bytes of a list', Buffer.concat([Buffer.from([SEQUENCE, 30, OCTETS, 28]), randomBytes(28)])],
  ])('is read when its hash begins with %s', (_, hash) => {
    const { digestName, hash: read } = readNamedCertificate(naming(der(OCTETS, hash)), { newer: true });
    expect(digestName).toBe('SHA-256');
    expect(Buffer.from(read)).toEqual(hash);
    const older = readNamedCertificate(naming(der(OCTETS, hash.subarray(0, 20))), { newer: false });
    expect(older.digestName).toBe('SHA-1');
  });

  test('is read with a different digest', () => {
    const hash = randomBytes(64);
    const read = readNamedCertificate(naming(SHA_512, der(OCTETS, hash)), { newer: true });
    expect(read.digestName).toBe('SHA-512');
    expect(Buffer.from(read.hash)).toEqual(hash);
  });

  test.each([
    ['an empty list', der(SEQUENCE), 'digest that is not accepted'],
    ['a digest without a hash', naming(SHA_512), 'does not name its certificate'],
    ['an unknown digest', naming(der(SEQUENCE), der(OCTETS, randomBytes(32))), 'not accepted'],
  ])('is rejected for %s', (_, attribute, message) => {
    expect(() => readNamedCertificate(attribute, { newer: true })).toThrow(message);
  });
});
