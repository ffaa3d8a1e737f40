import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const sdk = new URL('../dist/index.js', import.meta.url).href;

/** Ends when nothing keeps it alive. */
async function runProgram(source: string): Promise<{ status: number | null; out: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { out: await text(child.stdout), status: await ended };
}

const asking = (options: string) => `
  import { createClient } from '${sdk}';
  const client = createClient({ retry: { attempts: 1 }, timeoutMs: 1000, ${options} });
  await client.me().catch(({ name }) => console.log(name));`;

test('a request keeps the process alive until its time limit', async () => {
  // As the fetch of Node.js 20: no handle is left, and only the signal ends it.
  const fetch = `(_, { signal }) => new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))`;
  expect(await runProgram(asking(`baseUrl: 'http://127.0.0.1:1', fetch: ${fetch}`))).toEqual({
    status: 0,
    out: 'ConnectionError\n',
  });
});

test('a server that accepts and closes at once is a connection error', async () => {
  const server = createServer((socket) => socket.on('error', () => undefined).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ran = await Promise.all(Array.from({ length: 4 }, () => runProgram(asking(`baseUrl: '${baseUrl}'`))));
  server.close();
  expect(ran).toEqual(Array(4).fill({ status: 0, out: 'ConnectionError\n' }));
});
