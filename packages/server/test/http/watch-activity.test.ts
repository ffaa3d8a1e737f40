// Runs without a database.
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { createActivity } from '../../src/platform/flow/activity.ts';
import { watchActivity } from '../../src/http/monitoring.ts';

test('counts requests as activity, except those of monitors', async () => {
  const app = fastify();
  let now = 1_000;
  const activity = createActivity(true, () => now);
  watchActivity(app, activity);
  app.get('/*', async () => 'answer');
  now = 41_000;
  expect(activity.quietFor()).toBe(40_000);
  for (const url of ['/healthz', '/readyz?details', '/metrics']) await app.inject(url);
  expect(activity.quietFor()).toBe(40_000);
  await app.inject('/api/v1/etches');
  expect(activity.quietFor()).toBe(0);
  now = 42_000;
  expect(activity.quietFor()).toBe(1_000);
  await app.close();
});
