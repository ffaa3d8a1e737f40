import { randomBytes, X509Certificate } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { startAuthority } from '../../../testing/authority/authority.ts';
import { type Certificates, makeCertificates, runOpenssl } from '../../../testing/authority/certificates.ts';
import { digest } from '../src/bytes.ts';
import { askAuthority, readCertificates, verifyToken } from '../src/index.ts';
import { type Changes, type Item, item, signedAgain } from './support/signed-again.ts';

const data = randomBytes(128);
let imprint: Uint8Array;
const made = {} as Record<'ec' | 'rsa', { certificates: Certificates; token: Buffer }>;
beforeAll(async () => {
  imprint = await digest('SHA-256', data);
  for (const key of ['ec', 'rsa'] as const) {
    const certificates = await makeCertificates({ key });
    const authority = await startAuthority(certificates);
    const trusted = readCertificates(certificates.root);
    const options = { trusted, timeoutMs: 20_000, now: Date.now };
    const { token } = await askAuthority(authority.url, data, options);
    await authority.stop();
    made[key] = { certificates, token: Buffer.from(token) };
  }
});

/** Signs a changed token with OpenSSL's own key: only the encoding can be at fault. */
function judge(changes: Changes, key: 'ec' | 'rsa' = 'ec') {
  const { certificates, token } = made[key];
  const changed = signedAgain(token, certificates, changes);
  return { changed, judged: verifyToken(changed, imprint, readCertificates(certificates.root)) };
}

const GENERALIZED = 0x18;
const ACCURACY = 4;
const text = (tag: number, value: string): Item => item(tag, Buffer.from(value));
const soon = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}120000`;
const withTime = (value: string): Changes => ({
  info: (fields) => fields.map((one) => (one.tag === GENERALIZED ? text(GENERALIZED, value) : one)),
});
/** Only the last field of the same tag is the accuracy: the imprint has its tag. */
const withAccuracy = (...parts: Item[]): Changes => ({
  info: (fields) => fields.map((one, at) => (at > ACCURACY && one.tag === 0x30 ? item(0x30, ...parts) : one)),
});
const number = (tag: number, ...bytes: number[]): Item => item(tag, Buffer.from(bytes));
const withEachPart = withAccuracy(number(0x02, 2), number(0x80, 1, 0xf4), number(0x81, 10));
const withOrdering = (byte: number): Changes => ({
  info: (fields) => fields.map((one) => (one.tag === 0x01 ? number(0x01, byte) : one)),
});
const afterNonce = (...more: Item[]): Changes => ({
  info: (fields) => [...fields.filter(({ tag }) => tag < 0x80), ...more],
});
const extension = (...critical: Item[]): Item =>
  item(0xa1, item(0x30, number(0x06, 0x2a, 3), ...critical, number(0x04, 5, 0)));

describe('a token that is signed again', () => {
  test.each<[string, Changes, object]>([
    ['unchanged', {}, { accuracy: 1000 }],
    ['with a time', withTime(`${soon}Z`), { time: Date.parse(timeOf(soon)) }],
    ['with a fraction', withTime(`${soon}.25Z`), { time: Date.parse(timeOf(soon)) + 250 }],
    ['with microseconds', withTime(`${soon}.000999Z`), { time: Date.parse(timeOf(soon)) }],
    ['with each part of the accuracy', withEachPart, { accuracy: 2500.01 }],
    ['with an empty accuracy', withAccuracy(), { accuracy: 0 }],
    ['with an extension', afterNonce(extension()), { accuracy: 1000 }],
    [
      'with a fraction and each part of the accuracy',
      { info: (fields) => withEachPart.info!(withTime(`${soon}.2509Z`).info!(fields)) },
      { time: Date.parse(timeOf(soon)) + 250, accuracy: 2500.01 },
    ],
  ])('passes %s', async (about, changes, expected) => {
    const { changed, judged } = judge(changes);
    const stamp = await judged;
    expect(stamp).toMatchObject(expected);
    if (about.startsWith('with a fraction and')) write('valid', 'fraction', changed, { expect: stamp });
  });

  const MALFORMED: Record<string, Changes> = {
    'time-without-zone': withTime(soon),
    'time-with-an-offset': withTime(`${soon}+0000`),
    'time-without-seconds': withTime(`${soon.slice(0, 12)}Z`),
    'time-with-a-comma': withTime(`${soon},5Z`),
    'time-with-a-zero-at-the-end': withTime(`${soon}.50Z`),
    'time-with-an-empty-fraction': withTime(`${soon}.Z`),
    'time-of-no-day': withTime('20260230120000Z'),
    'time-of-a-leap-second': withTime('20261231235960Z'),
    'time-of-hour-24': withTime('20260601240000Z'),
    'time-of-two-digits': withTime('260601120000Z'),
    'accuracy-below-0': withAccuracy(number(0x02, 0xff)),
    'accuracy-of-0-milliseconds': withAccuracy(number(0x80, 0)),
    'accuracy-of-1000-milliseconds': withAccuracy(number(0x80, 3, 0xe8)),
    'accuracy-of-1000-microseconds': withAccuracy(number(0x81, 3, 0xe8)),
    'accuracy-with-a-leading-zero': withAccuracy(number(0x80, 0, 5)),
    'accuracy-in-another-order': withAccuracy(number(0x81, 5), number(0x80, 5)),
    'accuracy-twice': withAccuracy(number(0x02, 1), number(0x02, 1)),
    'accuracy-of-something-else': withAccuracy(number(0x82, 5)),
    'accuracy-of-five-bytes': withAccuracy(number(0x02, 1, 0, 0, 0, 0)),
    'ordering-false': withOrdering(0),
    'fields-in-another-order': { info: (fields) => fields.toReversed() },
    'field-that-is-not-known': afterNonce(item(0xa2, number(0x02, 1))),
    'extension-not-critical-in-words': afterNonce(extension(number(0x01, 0))),
    'attributes-not-sorted': { attributes: (sorted) => sorted.toReversed() },
    'attribute-values-not-sorted': { attributes: (sorted) => [...sorted, values(2, 1)].toSorted(byBytes) },
    'attribute-twice': { attributes: (sorted) => [...sorted, sorted[0]!].toSorted(byBytes) },
  };
  test.each(Object.entries(MALFORMED))('rejects %s', async (name, changes) => {
    const { changed, judged } = judge(changes);
    await expect(judged).rejects.toMatchObject({ fault: 'malformed' });
    write('invalid', name, changed, { expect: 'fail', fault: 'malformed' });
  });

  test('rejects a time after the last second of a certificate', async () => {
    const { validTo } = new X509Certificate(made.ec.certificates.root);
    const end = new Date(validTo).toISOString().replaceAll(/[-:T]|\.000Z/g, '');
    const { changed, judged } = judge(withTime(`${end}.5Z`));
    await expect(judged).rejects.toMatchObject({ fault: 'expired' });
    write('invalid', 'half-a-second-too-late', changed, { expect: 'fail', fault: 'expired' });
  });

  test('rejects an issuer that has an unknown critical extension', async () => {
    const { certificates, token } = made.ec;
    const named = [
      '-days',
      '90',
      '-key',
      'root.key',
      '-config',
      'authority.cnf',
      '-subj',
      '/O=Tests/CN=Root of tests',
    ];
    const extensions = ['-extensions', 'issuer', '-addext', '1.3.6.1.4.1.99999.2=critical,DER:0500'];
    const root = await runOpenssl(certificates.folder, ['req', '-x509', '-new', ...named, ...extensions]);
    // The certificate is valid at this time.
    const later = signedAgain(token, certificates, withTime(`${soon}Z`));
    await expect(verifyToken(later, imprint, readCertificates(root))).rejects.toMatchObject({
      fault: 'unknown',
    });
    const parts = { expect: 'fail', fault: 'unknown', certificates: root };
    write('invalid', 'issuer-with-an-unknown-extension', later, parts);
  });

  const NULL = number(0x05);
  const [ECDSA, RSA] = ['06082a8648ce3d040302', '06092a864886f70d01010b'].map((hex) =>
    Buffer.from(hex, 'hex'),
  );
  test.each([
    ['ec', 'algorithm-of-rsa-by-a-curve', item(0x30, RSA!, NULL)],
    ['rsa', 'algorithm-of-a-curve-by-rsa', item(0x30, ECDSA!)],
  ] as const)('rejects a key of kind %s with the %s', async (key, name, algorithm) => {
    const { changed, judged } = judge({ algorithm }, key);
    await expect(judged).rejects.toMatchObject({ fault: 'signature' });
    write('invalid', name, changed, { expect: 'fail', fault: 'signature' }, key);
  });
});

function timeOf(digits: string): string {
  const [, year, month, day] = /^(....)(..)(..)/.exec(digits)!;
  return `${year}-${month}-${day}T12:00:00.000Z`;
}

const byBytes = (a: Item, b: Item): number => Buffer.compare(item(0x30, a).content, item(0x30, b).content);
/** An attribute that the token may have. */
const values = (...numbers: number[]): Item =>
  item(0x30, number(0x06, 0x2a, 3), item(0x31, ...numbers.map((one) => number(0x02, one))));

/** `WRITE_VECTORS=1 npx vitest` writes the vectors. */
function write(
  folder: 'valid' | 'invalid',
  name: string,
  token: Buffer,
  parts: object,
  key: 'ec' | 'rsa' = 'ec',
): void {
  if (process.env['WRITE_VECTORS'] !== '1') return;
  const [hex, of] = [token, data].map((bytes) => `0x${bytes.toString('hex')}`);
  const about = name.replaceAll('-', ' ');
  const { root } = made[key].certificates;
  const vector = { about, data: of, token: hex, certificates: root, ...parts };
  const path = join(import.meta.dirname, `../../../vectors/${folder}/timestamp-${name}.json`);
  writeFileSync(path, `${JSON.stringify(vector, null, 1)}\n`);
}
