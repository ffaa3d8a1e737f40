// Runs without a database.
import { fastify } from 'fastify';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { mountHealth } from '../../../src/http/monitoring.ts';
import { createReadiness } from '../../../src/service/monitoring.ts';
import { createGauges, readStandby, STANDBY } from '../../../src/vitals/gauges.ts';

test('checks the chain once for concurrent requests', async () => {
  let asked = 0;
  const head = async () => {
    asked++;
    throw new Error('down');
  };
  const parts = createReadiness({
    db: { engine: 'pglite' },
    clock: {},
    chain: { chain: { name: 'devnet', head } },
  } as unknown as Parameters<typeof createReadiness>[0]);
  const chain = parts.find((part) => part.name === 'chain')!;
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => chain.check()));
  expect(outcomes.every((outcome) => outcome.status === 'rejected')).toBe(true);
  expect(asked).toBe(1);
});

test('reports a standby that answers nothing and stays ready', async () => {
  const status = () => ({ problem: 'it cannot be reached', ageSeconds: 7, lists: {} });
  const parts = createReadiness({
    db: { engine: 'postgres' },
    clock: {},
    chain: { chain: {} },
    standby: { status },
  } as unknown as Parameters<typeof createReadiness>[0]).filter(({ name }) => name === 'standby');
  const app = fastify();
  mountHealth(app, parts, () => false);
  const answer = await app.inject('/readyz');
  const problem = 'it cannot be reached: the primary answers lists';
  const standby = { ok: false, problem, age_seconds: 7 };
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toEqual({ status: 'ready', failing: [], parts: { standby } });
});

test('exports the figures of the standby as metrics', async () => {
  const registry = new Registry();
  const lists = { standby: 8, down: 0, due: 0, wrote: 1, behind: 0, old: 0, failed: 0, changed: 0 };
  createGauges(registry, STANDBY)(readStandby({ ageSeconds: 0.5, lists }));
  const text = await registry.metrics();
  expect(text).toContain('svc_standby_age_seconds 0.5');
  expect(text).toContain('svc_standby_lists{answered="standby"} 8');
  expect(text).toContain('svc_standby_lists{answered="wrote"} 1');
});
