import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { seeded } from '../../verifier/test/support/seeded.ts';
import { checkDer } from '../src/der.ts';
import { readCertificates, type Timestamp, TimestampError, verifyToken } from '../src/index.ts';

// Tokens that OpenSSL made (authority.test.ts).
const folder = join(import.meta.dirname, '../../../vectors/valid');
interface Vector {
  data: string;
  token: string;
  certificates: string;
  expect: Timestamp;
}
const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex');
const vectors = readdirSync(folder)
  .filter((name) => name.startsWith('timestamp-'))
  .map((name) => {
    const vector = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Vector;
    const imprint = createHash('sha256').update(bytes(vector.data)).digest();
    return {
      name,
      ...vector,
      token: bytes(vector.token),
      imprint,
      trusted: readCertificates(vector.certificates),
    };
  });

test('there are tokens of three kinds', () => expect(vectors).toHaveLength(3));

test.each(vectors)('$name holds', async ({ token, imprint, trusted, expect: wanted }) => {
  expect(await verifyToken(token, imprint, trusted)).toEqual(wanted);
});

test.each(vectors)('$name holds under no certificate but its own', async ({ token, imprint, name }) => {
  const others = vectors.filter((one) => one.name !== name).flatMap(({ trusted }) => trusted);
  for (const trusted of [[], others])
    await expect(verifyToken(token, imprint, trusted)).rejects.toMatchObject({ fault: 'unknown' });
});

const FLIPS = process.env['TEST_SOAK'] === '1' ? 100_000 : 1_000;
test(`${FLIPS} flipped bits of tokens: every one is refused`, async () => {
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

describe('what stands beside a signature', () => {
  test.each<[string, (token: Buffer) => Buffer]>([
    ['a byte after it', (token) => Buffer.concat([token, Buffer.of(0)])],
    ['an end that is missing', (token) => token.subarray(0, -1)],
    ['nothing', () => Buffer.alloc(0)],
    ['another value of ASN.1', () => Buffer.from('3003020101', 'hex')],
  ])('%s is refused', async (_, change) => {
    for (const { token, imprint, trusted } of vectors)
      await expect(verifyToken(change(token), imprint, trusted)).rejects.toMatchObject({
        fault: 'malformed',
      });
  });

  test.each([
    ['a length that is longer than it must be', '30810302010a'],
    ['a length without end', '30800201010000'],
    ['a number with a zero too many', '30040202000a'],
    ['a truth value of its own', '300301010a'],
    ['bits that do not fill a byte that is not there', '30020300'],
    ['a tag of several bytes', '3f010100'],
    ['a value that ends after what holds it', '30030204010203'],
  ])('%s is not DER', (_, hex) => {
    expect(() => checkDer(Buffer.from(hex, 'hex'))).toThrow(TimestampError);
    expect(() => checkDer(Buffer.from('300302010a', 'hex'))).not.toThrow();
  });
});
