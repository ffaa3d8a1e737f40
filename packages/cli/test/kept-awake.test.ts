import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshHome, svc } from '../../../testing/clients/svc.ts';

/** Unreferenced timers: without a handle nothing keeps Node.js waiting. */
const NO_HANDLE = `
  const { setTimeout: start } = globalThis;
  globalThis.setTimeout = (...given) => start(...given).unref();
  globalThis.fetch = () => new Promise(() => undefined);
`;

test('ends with 70 and a message when the command did not finish', async () => {
  const home = freshHome();
  const preload = join(home, 'no-handle.mjs');
  writeFileSync(preload, NO_HANDLE);
  const env = { NODE_OPTIONS: `--import=${preload}`, SVC_API_KEY: 'svc_sk_test' };
  const ran = await svc(['whoami'], { home, env });
  expect(ran).toMatchObject({
    status: 70,
    out: '',
    err: expect.stringContaining('svc: ended before the command was done') as string,
  });
});
