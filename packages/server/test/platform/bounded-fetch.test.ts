// Runs without a database.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { boundedFetch } from '../../src/platform/outgoing/bounded-fetch.ts';

test.each([204, 205, 304])('an answer of status %d has no body', async (status) => {
  const server = createServer((_, answer) => answer.writeHead(status).end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const answer = await boundedFetch(`http://127.0.0.1:${port}/`, { method: 'GET', headers: {} });
    expect([answer.status, await answer.text()]).toEqual([status, '']);
  } finally {
    server.close();
  }
});
