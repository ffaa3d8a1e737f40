import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { allAnchored } from '../testing/system/settled.ts';
import type { Json } from '../testing/json.ts';
import { Load } from '../testing/system/load.ts';
import { startPostgres } from '../testing/database/postgres.ts';
import { notePrinted } from '../testing/system/secrets.ts';
import { eventually } from '../testing/wait.ts';
import { postgresWorld, useGround, type World } from '../testing/system/world.ts';

const ground = useGround();

async function read(world: World, path: string, accept = '*/*') {
  const answer = await fetch(world.url + path, { headers: { accept } });
  const text = await answer.text();
  notePrinted(text);
  return { status: answer.status, type: answer.headers.get('content-type'), text };
}

const statusOf = async (world: World): Promise<Json> =>
  JSON.parse((await read(world, '/status', 'application/json')).text);

let shared: Promise<World> | undefined;
const sharedWorld = (): Promise<World> => (shared ??= anchoredWorld());

async function anchoredWorld(postgres = ground.postgres): Promise<World> {
  const world = ground.keep(await postgresWorld({ postgres, chain: ground.chain }));
  await world.start();
  const load = new Load({ client: world.client, agents: await world.agents(1) });
  const etch = await load.etch({ mode: 'instant', reveal_at: null });
  await load.retract(etch);
  await allAnchored(world, load.wanted);
  return world;
}

/** Figures that need WITNESS_POLICY or DATABASE_READ_URL. */
const SET_UP_ONLY = /^svc_(witness_behind_seconds|standby_)/;

test('/metrics has every series that the dashboard and the alert rules use', async () => {
  const world = await sharedWorld();
  await fetch(`${world.url}/api/v1/challenges`);
  await fetch(`${world.url}/api/v1/nowhere`);
  await fetch(`${world.url}/verify`);
  const { text, type } = await eventually('what the relayer spends is known', async () => {
    const answer = await read(world, '/metrics');
    return /^svc_relayer_balance_days \d/m.test(answer.text) && answer;
  });
  expect(type).toContain('text/plain');
  expect(text).toMatch(/^svc_request_seconds_count\{operation="listChallenges",status="200"\} 1$/m);
  expect(text).toMatch(/^svc_request_seconds_count\{operation="other",status="404"\} 1$/m);
  expect(text).toMatch(/^svc_request_seconds_count\{operation="\/verify",status="200"\} 1$/m);
  expect(text).toMatch(/^svc_anchor_pending 0$/m);
  expect(text).toMatch(/^svc_anchor_batches\{kind="commitment"\} [1-9]/m);
  expect(text).toMatch(/^svc_anchor_batches\{kind="retraction"\} [1-9]/m);
  expect(text).toMatch(/^svc_anchor_gas [1-9]/m);
  expect(text).toMatch(/^svc_ready\{part="database"\} 1$/m);
  expect(text).toMatch(/^svc_db_connections\{pool="main",state="idle"\} \d/m);
  expect(text).toMatch(/^svc_chain_requests_total\{question="send",outcome="ok"\} [1-9]/m);
  expect(Number(/^svc_relayer_balance_ether (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0);

  const served = new Set([...text.matchAll(/^([a-z0-9_]+)(?:\{| )/gm)].map(([, name]) => name));
  for (const file of ['grafana-dashboard.json', 'alerts.yml']) {
    const asked = readFileSync(new URL(`../deploy/${file}`, import.meta.url), 'utf8');
    const names = new Set(asked.match(/\b(svc|nodejs|process)_[a-z0-9_]+/g));
    expect(names.size, file).toBeGreaterThan(10);
    expect(
      [...names].filter((name) => !served.has(name) && !SET_UP_ONLY.test(name)),
      `${file} asks for what is not served`,
    ).toEqual([]);
  }
});

test('/status shows the last tree, the queue and the relayer, as a page and as data', async () => {
  const world = await sharedWorld();
  const status = await statusOf(world);
  expect(status).toMatchObject({
    status: 'operational',
    anchoring: {
      pending: 0,
      oldest_pending_seconds: null,
      open_transactions: 0,
      confirming: null,
      failing_since: null,
    },
    relayer: { health: 'ok' },
  });
  const { batches } = (await world.client.call('GET', '/api/v1/batches')).body;
  expect(status.last_batch).toEqual(batches[0]);
  const page = await read(world, '/status', 'text/html');
  expect(page.type).toContain('text/html');
  expect(page.text).toContain('Everything works');
  for (const group of (status.last_batch.root as string).match(/.{8}/g)!) expect(page.text).toContain(group);
});

test('both answer while the database is down, and say so', async () => {
  const postgres = ground.keep(await startPostgres());
  const world = await anchoredWorld(postgres);
  await postgres.kill9();
  const gone = await eventually('/status says so', async () => {
    const found = await statusOf(world);
    return found.status === 'unavailable' && found;
  });
  expect(gone).toMatchObject({ anchoring: null, last_batch: null });
  expect((await read(world, '/status', 'text/html')).text).toContain('cannot be reached');
  const { status, text } = await read(world, '/metrics');
  expect(status).toBe(200);
  expect(text).toMatch(/^svc_ready\{part="database"\} 0$/m);
  expect(text).not.toMatch(/^svc_anchor_pending /m);
  await postgres.restart();
  await eventually('all is well again', async () => (await statusOf(world)).status === 'operational');
});
