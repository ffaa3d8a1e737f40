import { lookup } from 'node:dns/promises';
import { hostname } from 'node:os';
import { expect, onTestFinished, test } from 'vitest';
import { startServer } from '../../../testing/machine/server.ts';
import { fetched } from '../src/bounded-fetch.ts';
import { isLoopback } from '../src/loopback.ts';
import { canBePinned } from '../src/pins.ts';
import { isPublicAddress } from '@svc/timestamp/public-address';
import { fetchNamed } from '../src/public-fetch.ts';

const FOREIGN = 'https://svc.example.org';
const signal = AbortSignal.timeout(60_000);

async function local(): Promise<number> {
  const server = await startServer((_, response) => void response.end('here'));
  onTestFinished(() => server.stop());
  return server.port;
}

test.each([
  ['an address', 'http://127.0.0.1'],
  ['a short address', 'http://127.1'],
  ['a number', 'http://2130706433'],
  ['every address', 'http://0.0.0.0'],
  ['an IPv6 address', 'http://[::1]'],
  ['IPv4 inside IPv6', 'http://[::ffff:127.0.0.1]'],
  ['a name', 'http://localhost'],
])('a service on another machine cannot lead svc to this machine by %s', async (_, origin) => {
  const port = await local();
  await expect(fetchNamed(`${origin}:${port}/`, FOREIGN, { signal })).rejects.toThrow(
    /leads to an address that is not public/,
  );
});

const name = hostname();
const [own] = await lookup(name, { all: true }).catch(() => []);

test.runIf(own !== undefined && !isPublicAddress(own.address))(
  'nor by a name that DNS leads to it',
  async () => {
    const port = await local();
    await expect(fetchNamed(`http://${name}:${port}/`, FOREIGN, { signal })).rejects.toThrow(
      /leads to an address that is not public/,
    );
  },
);

test('a service on this machine can', async () => {
  const port = await local();
  const answer = await fetchNamed(`http://127.0.0.1:${port}/`, 'http://localhost:3000', { signal });
  expect(await answer.text()).toBe('here');
});

test('a name that begins with 127 is not this machine', () => {
  expect([isLoopback('http://127.0.0.1:3000'), isLoopback('http://127.example.org')]).toEqual([true, false]);
  expect(canBePinned('http://127.0.0.1.example.org')).toBe(false);
});

test.each([404, 200])('ends the answer %s when it needs no more of it', async (status) => {
  let isEnded = false;
  const body = new ReadableStream({
    pull: (stream) => stream.enqueue(new Uint8Array(8)),
    cancel: () => void (isEnded = true),
  });
  expect(await fetched(new Response(body, { status }), 100)).toMatchObject({ status, bytes: null });
  expect(isEnded).toBe(true);
});
