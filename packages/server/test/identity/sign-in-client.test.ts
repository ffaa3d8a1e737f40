// Runs without a database.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSignInClient } from '../../src/identity/web-session/client.ts';
import { isStrictPublicKey, verifySignature } from '@svc/protocol';
import { verifyByRegisteredKey } from '../../src/identity/signed-request.ts';
import { invalidVectors, readVector } from '../../../../testing/vectors/vectors.ts';

const issuer = 'https://issuer.example';

test('waits until an issuer is loaded before the time limit of its answer starts', async () => {
  let isReady = false;
  const asked: [string, boolean][] = [];
  const client = createSignInClient({
    issuer: async () => issuer,
    clientId: 'web',
    clientSecret: undefined,
    scopes: 'openid',
    baseUrl: 'https://svc.example',
    callbackPath: '/sign-in/callback',
    now: () => Date.now(),
    ready: async () => {
      await import('openid-client');
      await turn();
      isReady = true;
    },
    fetch: async (url) => {
      asked.push([url, isReady]);
      return Response.json({ issuer, authorization_endpoint: `${issuer}/auth` });
    },
  });
  expect((await client.begin()).url).toContain(`${issuer}/auth?`);
  expect(asked).toEqual([[`${issuer}/.well-known/openid-configuration`, true]]);
});

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
