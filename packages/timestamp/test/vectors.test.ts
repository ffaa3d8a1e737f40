import { createHash } from 'node:crypto';
import { parseEvidence } from '@svc/verifier/evidence';
import { beforeAll, expect, test } from 'vitest';
import { invalidVectors, readVector } from '../../../testing/vectors/vectors.ts';
import { checkTimestamps, readCertificates, verifyToken } from '../src/index.ts';
import { writeWitnesses } from './support/make-witnesses.ts';
import type { WitnessVectors } from './support/make-witnesses.ts';

const bytes = (hex: string) => Buffer.from(hex.slice(2), 'hex');
if (process.env['WRITE_VECTORS'] === '1') beforeAll(writeWitnesses);

test('each file with time stamps has the verdict of its vector', async () => {
  const { certificates, cases } = readVector('valid/witnesses') as WitnessVectors;
  expect(cases.length).toBeGreaterThan(12);
  for (const { about, trusted, evidence, expect: said } of cases) {
    const pem = trusted.map((name) => certificates[name]!).join('');
    const by = pem === '' ? [] : readCertificates(pem);
    const found = await checkTimestamps(parseEvidence(evidence), by, Date.now());
    expect(found, about).toMatchObject(said);
  }
});

test.each(invalidVectors('timestamp-'))('rejects %s for the reason in its vector', async (_, vector) => {
  const imprint = createHash('sha256').update(bytes(vector.data)).digest();
  const checked = verifyToken(bytes(vector.token), imprint, readCertificates(vector.certificates));
  await expect(checked).rejects.toMatchObject({ fault: vector.fault });
});
