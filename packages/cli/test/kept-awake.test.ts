import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'vitest';
import { freshHome, svc } from '../../../testing/clients/svc.ts';
import { ends } from '../../../testing/clients/ends.ts';

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
  await ends(svc(['whoami'], { home, env }), 70, { out: '', err: 'svc: ended before the command was done' });
});
