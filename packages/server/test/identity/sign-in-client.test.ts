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
test('accepts the same signatures as verifiers do', () => {
  const invalid = (invalidVectors('signature-') as [string, Signed][])
    .map(([, one]) => one)
    .filter((one) => isStrictPublicKey(one.public_key) && /^[0-9a-f]{128}$/.test(one.signature));
  const cases = [...invalid, ...(readVector('valid/signatures-odd').signed as Signed[])];
  expect(cases.length).toBeGreaterThan(10);
  for (const { public_key: publicKey, message, signature } of cases) {
    const ours = verifyByRegisteredKey(publicKey, message, Buffer.from(signature, 'hex'));
    expect(ours, signature).toBe(verifySignature({ publicKey, message, signature }));
  }
});
