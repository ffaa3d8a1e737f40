// Runs without a database.
import { isStrictPublicKey, verifySignature } from '@svc/protocol';
import { expect, test } from 'vitest';
import { verifyByRegisteredKey } from '../../src/identity/signed-request.ts';
import { invalidVectors, readVector } from '../../../../testing/vectors/vectors.ts';

interface Signed {
  public_key: string;
  message: string;
  signature: string;
}

// If the service accepted a signature that verifiers reject, the etch's receipt would fail.
const cases: [string, Signed][] = [
  ...(invalidVectors('signature-') as [string, Signed][]).filter(
    ([, { public_key, signature }]) => isStrictPublicKey(public_key) && /^[0-9a-f]{128}$/.test(signature),
  ),
  ...(readVector('valid/signatures-odd').signed as (Signed & { name: string })[]).map(
    (one): [string, Signed] => [one.name, one],
  ),
];

test('the vectors contain odd signatures of both kinds', () => expect(cases.length).toBeGreaterThan(10));

test.each(cases)('accepts the same signatures as verifiers do: %s', (_, one) => {
  const { public_key: publicKey, message, signature } = one;
  expect(verifyByRegisteredKey(publicKey, message, Buffer.from(signature, 'hex'))).toBe(
    verifySignature({ publicKey, message, signature }),
  );
});
