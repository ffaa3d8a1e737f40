import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Authority,
  type Fault,
  ofAnotherHash,
  opensslAccepts,
  startAuthority,
  withAnotherNonce,
} from '../../../testing/authority/authority.ts';
import { type Certificates, makeCertificates } from '../../../testing/authority/certificates.ts';
import { askAuthority, readCertificates, TimestampError, verifyToken } from '../src/index.ts';

// A real authority: `openssl ts` behind HTTP.
const data = randomBytes(128);
let good: Certificates;
let authority: Authority;
beforeAll(async () => {
  good = await makeCertificates();
  authority = await startAuthority(good);
});
afterAll(() => authority.stop());

function writeVector(name: string, about: string, token: Uint8Array, more: object): void {
  const file = join(import.meta.dirname, `../../../vectors/valid/timestamp-${name}.json`);
  const hex = (bytes: Uint8Array) => `0x${Buffer.from(bytes).toString('hex')}`;
  const vector = { about: `a token by a key ${about}`, data: hex(data), token: hex(token), ...more };
  writeFileSync(file, `${JSON.stringify(vector, null, 1)}\n`);
}

const ask = (timeoutMs = 20_000, now = Date.now()) =>
  askAuthority(authority.url, data, { trusted: readCertificates(good.root), timeoutMs, now: () => now });

test.each<[string, string, Parameters<typeof makeCertificates>[0]]>([
  ['curve', 'on a curve', {}],
  ['rsa-between', 'on RSA, certified by one in between', { key: 'rsa', between: true }],
  ['older-name', 'that names its certificate by SHA-1, as older ones do', { names: 'sha1' }],
])('%s: a token by a key %s holds, and OpenSSL says so too', async (name, about, wanted) => {
  const certificates = await makeCertificates(wanted);
  const other = await startAuthority(certificates);
  try {
    const trusted = readCertificates(certificates.root);
    const options = { trusted, timeoutMs: 20_000, now: Date.now };
    const { token, timestamp } = await askAuthority(other.url, data, options);
    expect(Math.abs(timestamp.time - Date.now())).toBeLessThan(300_000);
    expect(timestamp).toMatchObject({ authority: 'O=Tests, CN=Time stamps of tests', accuracy: 1000 });
    const imprint = createHash('sha256').update(data).digest();
    expect(await verifyToken(token, imprint, trusted)).toEqual(timestamp);
    expect(await opensslAccepts(certificates, { data, token: Buffer.from(token) })).toBe(true);
    const another = { data: randomBytes(128), token: Buffer.from(token) };
    expect(await opensslAccepts(certificates, another)).toBe(false);
    await expect(verifyToken(token, randomBytes(32), trusted)).rejects.toMatchObject({ fault: 'imprint' });
    if (process.env['WRITE_VECTORS'] === '1')
      writeVector(name, about, token, { certificates: certificates.root, expect: timestamp });
  } finally {
    await other.stop();
  }
});

describe('an authority', () => {
  test.each<[string, Fault, string]>([
    ['is down', () => 'down', 'unreachable'],
    ['does not answer in time', () => 'slow', 'unreachable'],
    ['returns a malformed answer', () => 'nonsense', 'malformed'],
    ['stamps another hash', ofAnotherHash, 'imprint'],
    ['returns another nonce', withAnotherNonce, 'nonce'],
  ])('is rejected when it %s', async (_, fault, word) => {
    authority.fault = fault;
    const error = await ask(fault === ofAnotherHash || fault === withAnotherNonce ? 20_000 : 300).catch(
      (thrown: unknown) => thrown,
    );
    authority.fault = undefined;
    expect(error).toBeInstanceOf(TimestampError);
    expect(error).toMatchObject({ fault: word });
  });

  test.each<[string, Parameters<typeof makeCertificates>[0], string]>([
    ['has an expired certificate', { days: -1 }, 'expired'],
    ['has no trusted certificate', {}, 'unknown'],
  ])('is rejected when it %s', async (name, wanted, word) => {
    const other = await makeCertificates(wanted);
    authority.certificates = other;
    const trusted = readCertificates(name.includes('trusted') ? good.root : other.root);
    const asked = askAuthority(authority.url, data, { trusted, timeoutMs: 20_000, now: Date.now });
    const error = await asked.catch((thrown: unknown) => thrown);
    authority.certificates = good;
    expect(error).toMatchObject({ fault: word });
  });

  test('is rejected when its clock is an hour off', () =>
    expect(ask(20_000, Date.now() + 3_600_000)).rejects.toMatchObject({ fault: 'time' }));
});

test('rejects a file without a certificate', () => {
  for (const file of ['none', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----'])
    expect(() => readCertificates(file)).toThrow(TimestampError);
});
