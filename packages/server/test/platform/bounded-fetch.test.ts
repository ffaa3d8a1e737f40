// Runs without a database.
import { expect, test } from 'vitest';
import { boundedFetch } from '../../src/platform/outgoing/bounded-fetch.ts';
import { useServer } from '../../../../testing/machine/server.ts';

const server = useServer(({ url }, answer) => answer.writeHead(Number(url!.slice(1))).end());

test.each([204, 205, 304])('an answer of status %d has no body', async (status) => {
  const answer = await boundedFetch(`${server.url}/${status}`, { method: 'GET', headers: {} });
  expect([answer.status, await answer.text()]).toEqual([status, '']);
});
