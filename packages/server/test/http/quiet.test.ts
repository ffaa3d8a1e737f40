import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { watchQuiet } from '../../src/http/quiet.ts';

test('whoever asks for something ends the quiet; who watches by the clock does not', async () => {
  const app = fastify();
  let now = 1_000;
  const quietFor = watchQuiet(app, () => now);
  app.get('/*', async () => 'answer');
  now = 41_000;
  expect(quietFor()).toBe(40_000);
  for (const url of ['/healthz', '/readyz?details', '/metrics']) await app.inject(url);
  expect(quietFor()).toBe(40_000);
  await app.inject('/api/v1/etches');
  expect(quietFor()).toBe(0);
  now = 42_000;
  expect(quietFor()).toBe(1_000);
  await app.close();
});
