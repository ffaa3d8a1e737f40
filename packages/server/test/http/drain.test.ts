// Runs without a database.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { addDrain } from '../../src/http/drain.ts';

test('a stop waits for running requests, but not for a client that never finishes its request', async () => {
  const app = fastify({ forceCloseConnections: 'idle' });
  app.get('/slow', async () => {
    await sleep(300);
    return 'answered';
  });
  const drain = addDrain(app, undefined, 500);
  const url = new URL(await app.listen({ host: '127.0.0.1', port: 0 }));
  const never = connect(Number(url.port), url.hostname);
  never.on('error', () => {});
  await once(never, 'connect');
  never.write('GET /slow HTTP/1.1\r\nHost: x\r\nX-Unfin');
  const asked = fetch(new URL('/slow', url)).then((answer) => answer.text());
  await sleep(100);
  await drain.stop();
  expect(await asked).toBe('answered');
  if (!never.closed) await once(never, 'close');
});
