import { ROUTES } from '@svc/contract';
import { expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';

import { suspend } from '../../src/acts/moderation-store.ts';
import { type Operation, useProvoking } from './provoking.ts';
import { statusLines } from './status-lines.ts';

/** The last test compares the documented statuses with those that the tests before it saw. */
const given = useProvoking();
const operations = Object.keys(ROUTES) as Operation[];
const documented = (operation: Operation, status: number) => status in ROUTES[operation].responses;

test.each(operations)('%s rejects invalid credentials', async (operation) => {
  expect((await given.provoke(operation, { key: 'svc_sk_nonsense' })).status).toBe(401);
});

test.each(operations)('%s reports that the database is unavailable', async (operation) => {
  given.service.outage.on = true;
  const answer = await given.provoke(operation, { key: given.known.agent.key });
  given.service.outage.on = false;
  expect([answer.status, answer.body.error.code]).toEqual([503, 'service_unavailable']);
});

test('every operation is rate-limited by key', async () => {
  const { key } = await given.metered.registerAgent();
  await given.metered.get('/api/v1/me', key);
  for (const operation of operations) {
    const answer = await given.provoke(operation, { on: given.metered, key });
    expect([operation, answer.status]).toEqual([operation, 429]);
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
  }
});

test('a suspended account can make no change except those named as open', async () => {
  const suspended = await given.service.registerAgent();
  const now = given.service.clock.now();
  await suspend(given.service.db, suspended.username, 'spam', { by: 'keeper', now });
  for (const operation of operations) {
    const { method, auth, ...rest } = ROUTES[operation];
    if (method === 'GET' || auth === 'public') continue;
    const answer = await given.provoke(operation, { key: suspended.key });
    const refused = answer.status === 403 && answer.body.error.message.includes('suspended');
    expect([operation, refused]).toEqual([operation, !('whileSuspended' in rest)]);
  }
});

test.each(operations.filter((operation) => documented(operation, 415)))(
  '%s accepts only JSON up to a maximum size',
  async (operation) => {
    const { key } = given.known.agent;
    const headers = { 'content-type': 'text/plain' };
    expect(await given.provoke(operation, { key, raw: 'x', headers })).toMatchObject({ status: 415 });
    const raw = JSON.stringify('x'.repeat(300_000));
    expect(await given.provoke(operation, { key, raw })).toMatchObject({ status: 413 });
    expect(await given.provoke(operation, { key, raw: '{' })).toMatchObject({ status: 400 });
  },
);

test.each(operations.filter((operation) => ROUTES[operation].path.includes('{')))(
  '%s rejects an undecodable path',
  async (operation) => {
    const path = { id: '%ZZ', root: '%ZZ', username: '%ZZ', chain: '%ZZ' };
    expect((await given.provoke(operation, { path })).status).toBe(400);
  },
);

test.each(
  operations.filter(
    (operation) => ROUTES[operation].auth === 'write' || 'refusesReadKey' in ROUTES[operation],
  ),
)('%s rejects a read key before it reads the request', async (operation) => {
  expect((await given.provoke(operation, { key: given.known.readKey, raw: '{' })).status).toBe(403);
});

test.each(operations.filter((operation) => ROUTES[operation].auth !== 'public'))(
  '%s requires credentials',
  async (operation) => {
    const answer = await given.provoke(operation);
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  },
);

test.each(statusLines(given))('%s returns %i', async (operation, status, sent) => {
  const answer = await given.provoke(operation, await sent?.());
  expect(answer.status, answer.text).toBe(status);
});

const anchored = useService({ chain: true });
test('getBatch returns 200', async () => {
  const author = await anchored.registerAgent();
  const { id } = await anchored.etch(author);
  await anchored.anchor();
  const { root } = (await anchored.read(id)).chain;
  const answer = await given.provoke('getBatch', { on: anchored, path: { root } });
  expect(answer.status).toBe(200);
  expect(answer.body.batch.leaves).toHaveLength(1);
});

test('every documented status was seen, and no other', () => {
  // agents/vouching.test.ts has the server that this needs.
  given.seen.add('setDomain 200');
  // beacons/beacons.test.ts has the relay that this needs.
  given.seen.add('getBeacon 200');
  const listed = operations.flatMap((operation) =>
    Object.keys(ROUTES[operation].responses).map((status) => `${operation} ${status}`),
  );
  expect(listed.filter((line) => !given.seen.has(line))).toEqual([]);
  expect([...given.seen].filter((line) => !listed.includes(line))).toEqual([]);
});
