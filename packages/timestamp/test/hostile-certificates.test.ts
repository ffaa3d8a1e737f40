import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TimeStampResp } from 'pkijs';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startAuthority } from '../../../testing/authority/authority.ts';
import { type Certificates, makeCertificates, runOpenssl } from '../../../testing/authority/certificates.ts';
import { derOf, digest } from '../src/bytes.ts';
import { askAuthority, readCertificates, verifyToken } from '../src/index.ts';
import { encodeRequest, withoutUnsignedParts } from '../src/ask-authority.ts';

// The certificates all certify each other.
const data = randomBytes(128);
const stranger = await makeCertificates();
const trusted = readCertificates(stranger.root);
let imprint: Uint8Array<ArrayBuffer>;
beforeAll(async () => {
  imprint = await digest('SHA-256', data);
});
afterEach(() => vi.restoreAllMocks());

/** `count` issuers have one name. The last one issued the signer. */
async function makeIssuers(count: number, keys: 'one key' | 'a key each'): Promise<Certificates> {
  const made = await makeCertificates({ between: true });
  const { folder } = made;
  const issuers: string[] = [];
  const NEW_KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const named = ['-config', 'authority.cnf', '-subj', '/O=Tests/CN=Between'];
  for (let at = 0; at < count; at++) {
    const name = keys === 'a key each' && at < count - 1 ? 'of' : 'between';
    if (name === 'of')
      await runOpenssl(folder, ['req', '-new', ...NEW_KEY, ...named, '-keyout', 'of.key', '-out', 'of.csr']);
    await runOpenssl(folder, [
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-signkey',
      'between.key',
      '-set_serial',
      String(at + 100),
      '-days',
      '3650',
      '-extfile',
      'authority.cnf',
      '-extensions',
      'issuer',
      '-out',
      'issuer.pem',
    ]);
    issuers.push(readFileSync(join(folder, 'issuer.pem'), 'utf8'));
  }
  writeFileSync(join(folder, 'between.pem'), issuers.join(''));
  return made;
}

async function tokenOf(certificates: Certificates): Promise<Uint8Array> {
  const authority = await startAuthority(certificates);
  try {
    const nonce = Uint8Array.of(1, 2, 3);
    const response = await fetch(authority.url, { method: 'POST', body: encodeRequest({ imprint, nonce }) });
    return derOf(TimeStampResp.fromBER(await response.arrayBuffer()).timeStampToken!);
  } finally {
    await authority.stop();
  }
}

const countChecks = () => vi.spyOn(crypto.subtle, 'verify');

describe('certificates that all certify each other', () => {
  test.each(['one key', 'a key each'] as const)('7 with %s cost at most 33 checks', async (keys) => {
    const token = await tokenOf(await makeIssuers(7, keys));
    for (const judge of [
      () => verifyToken(token, imprint, trusted),
      () => withoutUnsignedParts(token, trusted),
    ]) {
      const checks = countChecks();
      await expect(judge()).rejects.toMatchObject({ fault: 'unknown' });
      expect(checks.mock.calls.length).toBeGreaterThan(1);
      expect(checks.mock.calls.length).toBeLessThanOrEqual(33);
      checks.mockRestore();
    }
  });

  test('rejects more than 8 certificates before it reads one', async () => {
    const token = await tokenOf(await makeIssuers(8, 'one key'));
    const checks = countChecks();
    const message = 'it holds 9 certificates, and at most 8 are accepted';
    const rejected = { fault: 'malformed', message };
    await expect(verifyToken(token, imprint, trusted)).rejects.toMatchObject(rejected);
    await expect(withoutUnsignedParts(token, trusted)).rejects.toMatchObject(rejected);
    expect(checks).not.toHaveBeenCalled();
  });

  test('9 from an authority are rejected by the stamping task', async () => {
    const authority = await startAuthority(await makeIssuers(8, 'one key'));
    try {
      const asked = askAuthority(authority.url, data, { trusted, timeoutMs: 20_000, now: Date.now });
      await expect(asked).rejects.toMatchObject({ fault: 'malformed' });
    } finally {
      await authority.stop();
    }
  });

  test('40 trusted ones with the issuer’s name cost at most 32 checks', async () => {
    const made = await makeIssuers(1, 'one key');
    const token = await tokenOf(made);
    const others = readCertificates((await Promise.all(Array.from({ length: 40 }, anotherBetween))).join(''));
    const checks = countChecks();
    await expect(verifyToken(token, imprint, others)).rejects.toMatchObject({
      fault: 'malformed',
      message: 'its certificates need more than 32 signature checks',
    });
    expect(checks).toHaveBeenCalledTimes(33);
  });
});

/** The name is that of the signer's issuer. */
async function anotherBetween(): Promise<string> {
  const args = ['req', '-x509', '-new', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const named = ['-config', 'authority.cnf', '-subj', '/O=Tests/CN=Between', '-extensions', 'issuer'];
  return runOpenssl(stranger.folder, [...args, ...named, '-keyout', '/dev/null']);
}

test('checks the token’s signature before its certificates', async () => {
  const token = await tokenOf(await makeIssuers(7, 'one key'));
  const forged = Uint8Array.from(token);
  forged[forged.length - 1]! ^= 1;
  const checks = countChecks();
  for (const judge of [
    () => verifyToken(forged, imprint, trusted),
    () => withoutUnsignedParts(forged, trusted),
  ])
    await expect(judge()).rejects.toMatchObject({ fault: 'signature' });
  expect(checks).toHaveBeenCalledTimes(2);
});

test('rejects a token of more than 64 KiB', async () => {
  await expect(verifyToken(new Uint8Array(65_537), imprint, trusted)).rejects.toMatchObject({
    fault: 'malformed',
    message: 'it is longer than 65536 bytes',
  });
});
