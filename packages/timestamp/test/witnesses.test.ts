import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Evidence, parseEvidence } from '@svc/verifier/evidence';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, type Mock, test, vi } from 'vitest';
import { type Authority, startAuthority } from '../../../testing/authority/authority.ts';
import { makeCertificates } from '../../../testing/authority/certificates.ts';
import { examplesOf, runExample, sourcesOf } from '../../../testing/examples.ts';
import * as timestamp from '../src/index.ts';
import { askAuthority, checkTimestamps, readCertificates, verifyToken } from '../src/index.ts';
import { bare, dataOf, receiptOf, sha256, vectorOfEvidence } from './support/ots.ts';

// The stamps are new; the words of the evidence are years old.
const [data, ofTombstone] = [dataOf(bare.receipt), dataOf(bare.receipt, 1)];
let authority: Authority;
let trusted: timestamp.TrustedCertificates;
let stamped: Evidence;
beforeAll(async () => {
  authority = await startAuthority(await makeCertificates());
  trusted = readCertificates(authority.root);
  const witnesses = [await witness('commitment', data), await witness('tombstone', ofTombstone)];
  stamped = parseEvidence({ ...bare, witnesses });
  if (process.env['WRITE_VECTORS'] !== '1') return;
  const about = 'evidence with time stamps';
  const vector = { ...vectorOfEvidence, about, evidence: stamped, certificates: authority.root };
  const file = join(import.meta.dirname, '../../../vectors/valid/stamped-evidence.json');
  writeFileSync(file, `${JSON.stringify(vector, null, 1)}\n`);
});
afterAll(() => authority.stop());

async function witness(of: 'commitment' | 'tombstone', stampedData: Uint8Array) {
  const options = { trusted, timeoutMs: 20_000, now: Date.now };
  const { token } = await askAuthority(authority.url, stampedData, options);
  return { of, kind: 'rfc3161', proof: `0x${Buffer.from(token).toString('hex')}` };
}
const tokenOf = ({ witnesses }: Evidence) => Buffer.from(witnesses![0]!.proof.slice(2), 'hex');

const check = (evidence: unknown, by = trusted, now = Date.now()) =>
  checkTimestamps(parseEvidence(evidence), by, now);

test('proves that a tree and its tombstone existed by the authority’s time', async () => {
  const found = await check(stamped);
  expect(found).toMatchObject({ verdict: 'pass', badge: 'stamped' });
  expect(found.detail).toContain(`It existed by ${found.time}`);
  expect(found.detail).toContain('Its retraction existed by');
  expect(found.detail).toContain('Revocation of certificates is not checked.');
});

test('reports a certificate that expired since, without an effect on the verdict', async () => {
  const later = await check(stamped, trusted, Date.parse('2099-01-01T00:00:00Z'));
  expect(later).toMatchObject({ verdict: 'pass', detail: expect.stringContaining('expired later') });
  expect((await check(stamped)).detail).not.toContain('expired later');
});

describe('the proven time and the stated time', () => {
  const ofAge = async (seconds: number): Promise<Evidence> => {
    const receipt = receiptOf(new Date(Date.now() - seconds * 1000).toISOString(), randomUUID());
    return { ...bare, receipt, tombstone: null, witnesses: [await witness('commitment', dataOf(receipt))] };
  };
  test.each([
    [5, 'pass', 'stamped', 'It existed by'],
    [3600, 'pass', 'late', 'the time proven is the later one'],
    [-30, 'pass', 'stamped', 'It existed by'],
    [-3600, 'fail', 'mismatch', 'is older than the stated time'],
  ])('%i seconds later', async (seconds, verdict, badge, words) => {
    const found = await checkTimestamps(await ofAge(seconds), trusted, Date.now());
    expect(found).toMatchObject({ verdict, badge });
    expect(found.detail).toContain(words);
  });
});

describe('a missing or wrong time stamp', () => {
  const withWitnesses = (change: (witnesses: NonNullable<Evidence['witnesses']>) => object[]) => ({
    ...bare,
    witnesses: change(structuredClone(stamped.witnesses!)),
  });

  test('waits without a stamp, and with one of an unknown kind', async () => {
    expect(await check(bare)).toMatchObject({ verdict: 'wait', badge: 'none', time: null });
    const others = withWitnesses((all) => all.map((one) => ({ ...one, kind: 'cosigned-log' })));
    expect(await check(others)).toMatchObject({ verdict: 'wait', badge: 'none' });
    expect(await check(withWitnesses((all) => all.slice(1)))).toMatchObject({
      verdict: 'wait',
      badge: 'none',
    });
  });

  test('waits without certificates, and fails with others', async () => {
    const found = await check(stamped, []);
    expect(found).toMatchObject({ verdict: 'wait', badge: 'unproven', time: null });
    expect(found.detail).toContain('CN=Time stamps of tests');
    const others = readCertificates((await makeCertificates()).root);
    expect(await check(stamped, others)).toMatchObject({ verdict: 'fail', badge: 'mismatch', time: null });
  });

  test('fails for the tombstone’s stamp on the commitment and for a broken one, with and without certificates', async () => {
    const swapped = withWitnesses(([first, second]) => [{ ...first, proof: second!.proof }]);
    const cut = ({ proof }: { proof: string }) => ({ proof: proof.slice(0, -2) });
    const broken = withWitnesses(([first, second]) => [first!, { ...second, ...cut(second!) }]);
    for (const evidence of [swapped, broken])
      for (const by of [trusted, []])
        expect(await check(evidence, by)).toMatchObject({ verdict: 'fail', badge: 'mismatch', time: null });
  });
});

test('the example of each function shows what it does', async () => {
  const examples = examplesOf(sourcesOf(join(import.meta.dirname, '../src')));
  const given = {
    evidence: stamped,
    pem: authority.root,
    token: tokenOf(stamped),
    imprint: sha256(data),
  };
  expect([...examples.keys()].sort()).toEqual(['checkTimestamps', 'readCertificates', 'verifyToken']);
  for (const [, code] of examples) await runExample(code, { ...timestamp, ...given });
});

describe('a check that does not end', () => {
  // Injects a signature check that never ends.
  let checks: Mock;
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    checks = vi.spyOn(crypto.subtle, 'verify').mockReturnValue(new Promise(() => undefined));
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  test('waits after ten seconds, and reports no fault of the token', async () => {
    const found = check(stamped);
    await vi.waitFor(() => expect(checks).toHaveBeenCalledTimes(2));
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await found).toMatchObject({
      verdict: 'wait',
      badge: 'unproven',
      time: null,
      detail: 'The file holds a time stamp, but it could not be judged within 10 s: try again.',
    });
  });

  test('fails with `limit` in a check of one token', async () => {
    const judged = verifyToken(tokenOf(stamped), sha256(data), trusted).catch((error: unknown) => error);
    await vi.waitFor(() => expect(checks).toHaveBeenCalledOnce());
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await judged).toMatchObject({ fault: 'limit' });
  });
});
