// Runs without a database.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { ROUTES } from '@svc/contract';
import { fastify, type FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { DatabaseUnavailable, StatementFailed } from '../../src/db/db.ts';
import { AJV } from '../../src/http/app.ts';
import { addDrain } from '../../src/http/drain.ts';
import { sendError } from '../../src/http/errors.ts';
import { watchActivity } from '../../src/http/monitoring.ts';
import { cookieNames, dropCookie, readCookie, setCookie } from '../../src/http/pages/site.ts';
import { etagOf, isKnown } from '../../src/http/representation.ts';
import { createActivity } from '../../src/platform/flow/activity.ts';

test('a stop waits for running requests, but not for a client that never finishes its request', async () => {
  const app = fastify({ forceCloseConnections: 'idle' });
  let begun = (): void => {};
  const isBegun = new Promise<void>((resolve) => (begun = resolve));
  let isStopping = false;
  app.get('/slow', async () => {
    begun();
    while (!isStopping) await sleep(5);
    await sleep(50);
    return 'answered';
  });
  const drain = addDrain(app, undefined, 500);
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const never = connect(Number(url.port), url.hostname);
  never.on('error', () => {});
  await once(never, 'connect');
  never.write('GET /slow HTTP/1.1\r\nHost: x\r\nX-Unfin');
  const asked = fetch(new URL('/slow', url)).then((answer) => answer.text());
  await isBegun;
  const stopped = drain.stop();
  isStopping = true;
  await stopped;
  expect(await asked).toBe('answered');
  if (!never.closed) await once(never, 'close');
});

const CLIENT = `
  const { connect } = require('node:net');
  const { parentPort, workerData: { state, port } } = require('node:worker_threads');
  const send = (path, sent) => {
    const socket = connect(port, '127.0.0.1');
    socket.write('POST ' + path + ' HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 0\\r\\n\\r\\n', sent);
    return socket;
  };
  send('/busy', () => {
    Atomics.wait(state, 0, 0);
    let text = '';
    send('/', () => (Atomics.store(state, 0, 2), Atomics.notify(state, 0)))
      .on('data', (data) => (text += data))
      .on('error', ({ code }) => parentPort.postMessage(code))
      .on('end', () => parentPort.postMessage(text));
  }).on('error', () => {});
`;

test('a stop answers a request that arrives while the process is busy', async () => {
  const app = fastify();
  const state = new Int32Array(new SharedArrayBuffer(4));
  const drain = addDrain(app);
  let stopped: Promise<void> | undefined;
  app.post('/', async () => 'answered');
  app.post('/busy', async () => {
    stopped = drain.stop();
    Atomics.store(state, 0, 1);
    Atomics.notify(state, 0);
    Atomics.wait(state, 0, 1);
    // The time at which the process closes its port passes.
    for (const until = performance.now() + 200; performance.now() < until;);
  });
  const { port } = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const client = new Worker(CLIENT, { eval: true, workerData: { state, port: Number(port) } });
  expect((await once(client, 'message'))[0]).toMatch(/^HTTP\/1\.1 200 [^]*answered$/);
  await stopped;
});

test.each([
  ['cannot be reached', new DatabaseUnavailable('away'), 503],
  ['cancels a statement that takes too long', new StatementFailed('57014', 'see the code'), 503],
  ['ends a deadlock', new StatementFailed('40P01', 'see the code'), 503],
  ['has no disk left', new StatementFailed('53100', 'see the code'), 503],
  ['rejects malformed SQL', new StatementFailed('42601', 'syntax error'), 500],
])('when the database %s, returns the status, and a retry time with a 503', async (_name, error, status) => {
  const app = fastify();
  app.setErrorHandler(sendError);
  app.get('/', () => Promise.reject(error));
  const answer = await app.inject('/');
  await app.close();
  expect(answer.statusCode).toBe(status);
  expect(answer.json().error.code).toBe(status === 503 ? 'service_unavailable' : 'internal');
  expect(answer.headers['retry-after']).toBe(status === 503 ? '1' : undefined);
});

/** Validates each schema first, which the service leaves out. */
async function compiled(schema: object): Promise<void> {
  const app = fastify({ ajv: { ...AJV, customOptions: { ...AJV.customOptions, validateSchema: true } } });
  app.post('/', { schema, handler: () => '' });
  await app.ready();
  await app.close();
}

test('the schemas of every operation are valid', async () => {
  await expect(compiled({ body: { type: 'text' } })).rejects.toThrow('schema is invalid');
  for (const [name, route] of Object.entries(ROUTES)) {
    const { params, query: querystring, body, headers } = route as Partial<Record<string, unknown>>;
    const given = Object.entries({ params, querystring, body, headers }).filter(([, part]) => part);
    await expect(compiled(Object.fromEntries(given)), name).resolves.toBeUndefined();
  }
});

test('matches an ETag alone, in a list, as a weak tag and with a star, but never a part of it', () => {
  const asking = (header?: string) => ({ headers: { 'if-none-match': header } }) as unknown as FastifyRequest;
  const etag = etagOf('page');
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  for (const known of [etag, `"other", ${etag}`, `W/${etag}`, '*'])
    expect(isKnown(asking(known), etag), known).toBe(true);
  for (const other of [undefined, '', etagOf('pages'), etag.slice(0, -2), `"x${etag.slice(1)}`, `${etag}x`])
    expect(isKnown(asking(other), etag), String(other)).toBe(false);
});

test('counts requests as activity, except those of monitors', async () => {
  const app = fastify();
  let now = 1_000;
  const activity = createActivity(true, () => now);
  watchActivity(app, activity);
  app.get('/*', async () => 'answer');
  now = 41_000;
  for (const url of ['/healthz', '/readyz?details', '/metrics']) await app.inject(url);
  expect(activity.quietFor()).toBe(40_000);
  await app.inject('/api/v1/etches');
  expect(activity.quietFor()).toBe(0);
  await app.close();
});

test('cookies are limited to this host and to https', async () => {
  const { session } = cookieNames('https://service.example');
  expect(session).toBe('__Host-svc_session');
  const app = fastify();
  app.get('/', async (_request, reply) => {
    setCookie(reply, session, 'value', 60);
    dropCookie(reply, 'svc_other');
    return '';
  });
  const { headers } = await app.inject('/');
  expect(headers['set-cookie']).toEqual([
    '__Host-svc_session=value; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    'svc_other=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
  ]);
});

test('cookies of two services on one machine do not collide', () => {
  const [one, other] = ['http://127.0.0.1:3000', 'http://127.0.0.1:3001'].map(cookieNames);
  expect(one!.session).not.toBe(other!.session);
});

test.each([
  ['a=1; svc_session=x; b=2', 'x'],
  ['svc_session=first; svc_session=second', 'first'],
  ['other_svc_session=x', undefined],
  ['svc_session=', undefined],
  ['svc_session', undefined],
  ['', undefined],
])('cookies are read by their full name: %s', (cookie, value) => {
  expect(readCookie({ headers: { cookie } } as never, 'svc_session')).toBe(value);
});
