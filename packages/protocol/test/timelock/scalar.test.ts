import { createHash } from 'node:crypto';
import { bls12_381 as bls } from '@noble/curves/bls12-381.js';
import { armor, QUICKNET, timelockEncrypt } from '@svc/protocol/timelock';
import tlock from 'tlock-js';
import { describe, expect, test } from 'vitest';
import { tlockClient } from '../../../../testing/beacon/tlock-client.ts';
import { readVector } from '../../../../testing/vectors/vectors.ts';

interface Scalar {
  sigma: string;
  file_key: string;
  digests: string[];
  r: string;
}
const { scalars } = readVector('valid/timelock-scalars') as { scalars: Scalar[] };
const { chain, beacon } = readVector('valid/openings');
const bytes = (hex: string) => Buffer.from(hex, 'hex');
const sha256 = (...parts: (string | Uint8Array)[]) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The rule of docs/protocol.md in its simplest form. */
function digestsOf({ sigma, file_key: key }: Scalar, count: number): string[] {
  const first = sha256('IBE-H3', bytes(sigma), bytes(key));
  return Array.from({ length: count }, (_, at) => sha256(Buffer.of(at + 1, 0), first).toString('hex'));
}

test('has vectors of scalars from one, two and three digests', () => {
  expect(scalars.map(({ digests }) => digests.length)).toEqual([1, 2, 3]);
});

describe.each(scalars)('the scalar $r', (vector) => {
  const { sigma, file_key: key, digests, r } = vector;
  const shifted = (digest: string) =>
    (BigInt(`0x${digest}`) % 2n ** 248n) + ((BigInt(`0x${digest}`) >> 249n) << 248n);

  test('is the first digest below the order, its first byte shifted right by one', () => {
    expect(digestsOf(vector, digests.length)).toEqual(digests);
    const inOrder = digests.map((digest) => shifted(digest) < bls.fields.Fr.ORDER);
    expect(inOrder).toEqual(digests.map((_, at) => at === digests.length - 1));
    expect(shifted(digests.at(-1)!).toString(16).padStart(64, '0')).toBe(r);
  });

  test('is used for encryption that drand’s own tool opens', async () => {
    const random = Buffer.concat([bytes(key), bytes(sigma), Buffer.alloc(16, 7)]);
    const file = timelockEncrypt(QUICKNET, beacon.round, Buffer.from('a text'), random);
    const [, body] = Buffer.from(file)
      .toString('latin1')
      .split(/-> tlock .*\n|\n---/);
    const point = Buffer.from(body!, 'base64').subarray(0, 96).toString('hex');
    const G = bls.G2.Point.BASE;
    expect(point).toBe(Buffer.from(G.multiply(BigInt(`0x${r}`)).toBytes()).toString('hex'));
    const client = tlockClient(chain, () => Promise.resolve(beacon.signature));
    const opened = await tlock.timelockDecrypt(armor(file), client);
    expect(Buffer.from(opened).toString()).toBe('a text');
  });
});
