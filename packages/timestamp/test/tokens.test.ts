import { describe, expect, test } from 'vitest';
import { rounds } from '../../../testing/rounds.ts';
import { seeded } from '../../../testing/seeded.ts';
import { readVector } from '../../../testing/vectors/vectors.ts';
import { checkDer } from '../src/der.ts';
import { readCertificates, TimestampError, verifyToken } from '../src/index.ts';
import { sha256 } from './support/ots.ts';

// See authority.test.ts.
const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex');
const vectors = ['curve', 'rsa-between', 'older-name', 'fraction'].map((name) => {
  const { data, token, certificates, ...vector } = readVector(`valid/timestamp-${name}`);
  const trusted = readCertificates(certificates);
  return { ...vector, name, token: bytes(token), imprint: sha256(bytes(data)), trusted };
});

test.each(vectors)('accepts $name', async ({ token, imprint, trusted, expect: wanted }) => {
  expect(await verifyToken(token, imprint, trusted)).toEqual(wanted);
});

test.each(vectors)('rejects $name under any other certificate', async ({ token, imprint, name }) => {
  const others = vectors.filter((one) => one.name !== name).flatMap(({ trusted }) => trusted);
  for (const trusted of [[], others])
    await expect(verifyToken(token, imprint, trusted)).rejects.toMatchObject({ fault: 'unknown' });
});

const FLIPS = rounds(300, 100_000);
test(`rejects tokens with any of ${FLIPS} flipped bits`, async () => {
  const dice = seeded(20_260_731);
  const passed: string[] = [];
  for (let at = 0; at < FLIPS; at++) {
    const { name, token, imprint, trusted } = vectors[at % vectors.length]!;
    const flipped = Buffer.from(token);
    const place = dice.below(flipped.length);
    const bit = dice.below(8);
    flipped[place]! ^= 1 << bit;
    try {
      await verifyToken(flipped, imprint, trusted);
      passed.push(`${name}: bit ${bit} of byte ${place}`);
    } catch (error) {
      if (!(error instanceof TimestampError)) throw error;
    }
  }
  expect(passed).toEqual([]);
}, 3_600_000);

/** The offsets of ECDSA signatures: a sequence of two integers. */
const curveSignatures = (token: Buffer): number[] =>
  [...token.keys()].filter((at) => {
    const second = at + 4 + token[at + 3]!;
    const [tag, length, first] = token.subarray(at);
    const ends = second + 2 + token[second + 1]! === at + 2 + length!;
    return tag === 0x30 && length! > 60 && first === 0x02 && token[second] === 0x02 && ends;
  });

test('rejects a changed bit in the DER framing of an ECDSA signature', async () => {
  for (const { name, token, imprint, trusted } of vectors) {
    const found = curveSignatures(token);
    expect(found, name).not.toEqual([]);
    for (const at of found) {
      const second = at + 4 + token[at + 3]!;
      for (const place of [at, at + 1, at + 2, at + 3, second, second + 1])
        for (let bit = 0; bit < 8; bit++) {
          const flipped = Buffer.from(token);
          flipped[place]! ^= 1 << bit;
          const judged = verifyToken(flipped, imprint, trusted);
          await expect(judged, `${name}: bit ${bit} of ${place}`).rejects.toThrow(TimestampError);
        }
    }
  }
});

describe('bytes that no signature covers', () => {
  const MALFORMED = { fault: 'malformed' };
  test.each<[string, (token: Buffer) => Buffer]>([
    ['a byte after the token', (token) => Buffer.concat([token, Buffer.of(0)])],
    ['a missing end', (token) => token.subarray(0, -1)],
    ['an empty token', () => Buffer.alloc(0)],
    ['another value of ASN.1', () => Buffer.from('3003020101', 'hex')],
  ])('rejects %s', async (_, change) => {
    for (const { token, imprint, trusted } of vectors)
      await expect(verifyToken(change(token), imprint, trusted)).rejects.toMatchObject(MALFORMED);
  });

  test.each([
    ['a length in too many bytes', '30810302010a'],
    ['an indefinite length', '30800201010000'],
    ['a number with a leading zero', '30040202000a'],
    ['a noncanonical truth value', '300301010a'],
    ['unused bits without a byte', '30020300'],
    ['a tag of several bytes', '3f010100'],
    ['a value that ends after its parent', '30030204010203'],
    ['a sequence with a primitive tag', '100302010a'],
    ['a number in parts', '30052203020101'],
  ])('%s is not DER', (_, hex) => {
    expect(() => checkDer(Buffer.from(hex, 'hex'))).toThrow(TimestampError);
    expect(() => checkDer(Buffer.from('300302010a', 'hex'))).not.toThrow();
  });
});
