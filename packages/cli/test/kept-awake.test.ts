import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freshHome, svc } from '../../../testing/clients/svc.ts';

test('a server that accepts and closes at once ends the program with 69 and a message', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const commands = [
    ['trust', url],
    ['verify', `${url}/e/abc234`],
  ];
  const run = (args: string[]) => svc(args, { env: { SVC_BASE_URL: url } });
  const ran = await Promise.all(commands.map(run));
  const proof = await run(['receipt', crypto.randomUUID(), '--tlog-proof', join(freshHome(), 'proof')]);
  server.close();
  expect(proof).toEqual({
    status: 69,
    out: '',
    err: `svc: the proof of the log cannot be read from ${url}\n`,
  });
  for (const one of ran)
    expect(one, one.err).toEqual({
      status: 69,
      out: '',
      err: expect.stringMatching(/^svc: \S+ cannot be reached: [^\n]+\n$/) as string,
    });
});

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
