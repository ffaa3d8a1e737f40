// Runs in the soak only.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { audit } from '../testing/ledger/audit.ts';
import { type CutPlace, startCommitCutter } from '../testing/database/commit-cutter.ts';
import { Load } from '../testing/system/load.ts';
import { newDatabase, startPostgres } from '../testing/database/postgres.ts';
import { rounds } from '../testing/rounds.ts';
import { whenReady } from '../testing/system/service-process.ts';
import { eventually } from '../testing/wait.ts';
import { postgresWorld, useGround } from '../testing/system/world.ts';

const CUTS = rounds(40, 1_000);
const ground = useGround();

test(`${CUTS} connections cut after COMMIT was sent: one row, one allowance each`, async () => {
  const { postgres, chain } = ground;
  const cutter = ground.keep(await startCommitCutter(postgres.url));
  const databaseUrl = await newDatabase(postgres);
  const world = ground.keep(
    await postgresWorld({ postgres, chain, databaseUrl }, { DATABASE_URL: cutter.url(databaseUrl) }),
  );
  await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(4), restMs: 5 });
  const places: CutPlace[] = ['sent', 'answered', 'sent', 'answered', 'before'];
  let at = 0;
  // Every second connection passes, so that clients make progress.
  cutter.choose = () => (at++ % 2 === 0 ? places[(at >> 1) % places.length] : undefined);
  load.start();
  await eventually(`${CUTS} cuts`, () => cutter.cuts.sent + cutter.cuts.answered >= CUTS, {
    seconds: 60 + CUTS,
  });
  cutter.choose = () => undefined;
  await load.finish();
  expect(Math.min(...Object.values(cutter.cuts))).toBeGreaterThan(0);
  expect(load.unknown).toBeGreaterThanOrEqual(CUTS);
  await audit(world, load);
});

test('answers 503 in the envelope while the database is down, and recovers', async () => {
  const postgres = ground.keep(await startPostgres());
  const world = ground.keep(await postgresWorld({ postgres, chain: ground.chain }));
  const service = await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(1) });
  const before = await load.etch({ mode: 'instant', reveal_at: null });

  await postgres.kill9();
  const key = before.agent.key;
  const asked = await Promise.all([
    world.client.call('POST', '/api/v1/etches', {
      key,
      body: before.body,
      headers: { 'idempotency-key': 'outage' },
    }),
    world.client.call('GET', `/api/v1/etches/${before.id}`),
    world.client.call('GET', `/api/v1/verify/${before.id}`),
    world.client.call('GET', '/api/v1/me', { key }),
    world.client.call('POST', `/api/v1/etches/${before.id}/retract`, { key }),
  ]);
  for (const reply of asked) {
    expect(reply.status, reply.text).toBe(503);
    expect(reply.body.error.code).toBe('service_unavailable');
    expect(reply.headers.has('retry-after')).toBe(true);
  }
  const readiness = await world.client.call('GET', '/readyz');
  expect(readiness.status).toBe(503);
  expect(readiness.body.failing).toContain('database');
  expect((await world.client.call('GET', '/healthz')).status).toBe(200);
  await sleep(500);

  const during = load.etch();
  await postgres.restart();
  await during;
  await whenReady(service);
  expect(service.isRunning()).toBe(true);
  await load.etch();
  await audit(world, load);
});
