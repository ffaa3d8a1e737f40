// Runs without a database.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSignInClient } from '../../src/identity/web-session/client.ts';

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
