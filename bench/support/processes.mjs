import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { createClient, generateKeyPair } from '../../packages/sdk/dist/index.js';
import { migrate } from '../../packages/server/dist/db/migrate.js';
import { openPostgres } from '../../packages/server/dist/db/postgres.js';
import { freePort } from '../../packages/server/dist/chain/devnet/anvil.js';
import { startPostgres } from '../../scripts/postgres.mjs';
import { fill } from './etches.mjs';

const SERVER = new URL('../../packages/server/dist/main.js', import.meta.url).href;
const PROBE = new URL('stall-probe.mjs', import.meta.url).href;
const LOAD = fileURLToPath(new URL('load.mjs', import.meta.url));
export const MANY = '1000000000';
/** Anchors nothing during a measurement. */
export const UNANCHORED = { ANCHOR_INTERVAL_SECONDS: '86400' };
export const EACH_SECOND = { ANCHOR_INTERVAL_SECONDS: '1' };

/** PostgreSQL needs these for a million etches. */
const LARGE = { settings: { shared_buffers: '1GB', max_wal_size: '4GB' } };

/** `work` opens things by `use`; they are closed in reverse order. */
export async function within(work) {
  const closing = [];
  const use = async (opening) => {
    const opened = await opening;
    closing.unshift(() => (opened.stop ?? opened.end ?? opened.close).call(opened));
    return opened;
  };
  try {
    return await work(use);
  } finally {
    for (const close of closing) await close();
  }
}

export async function newFolder() {
  const path = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  return { path, stop: () => rm(path, { recursive: true, force: true }) };
}

/** Starts PostgreSQL with that many etches (etches.mjs). */
export async function startFilled(use, etches) {
  const postgres = await use(startPostgres(LARGE));
  await within(async (open) => migrate(await open(openPostgres({ url: postgres.url }))));
  const client = await use(connect(postgres.url));
  await fill(async (text) => (await client.query(text)).rows, etches);
  return postgres;
}

/**
 * Starts a service on `postgres` or a new one, load generators and agents.
 * `create` and `read` send requests by one of the generators, `stalled` is of a `watched` service.
 */
export async function startGround(use, { postgres, settings, watched, loads = 1, agents = 0 }) {
  postgres ??= await use(startPostgres(LARGE));
  const service = await use(startService({ DATABASE_URL: postgres.url, ...settings }, { watched }));
  const client = await use(connect(postgres.url));
  const generators = [];
  while (generators.length < loads) generators.push(await use(startLoad()));
  const keys = [];
  while (keys.length < agents)
    keys.push((await clientOf(service.port).registerAgent(generateKeyPair())).apiKey);
  const send =
    (common) =>
    ({ load = 0, ...job }) =>
      generators[load].run({ port: service.port, ...common, ...job });
  const [create, read] = [send({ keys, expect: 201 }), send({ expect: 200 })];
  return { ...service, postgres, client, keys, create, read };
}

/**
 * Sets high limits.
 * @param {{ watched?: boolean }} [options] `stalled()` returns the longest stall since the last
 * call, in milliseconds
 */
export async function startService(settings = {}, { watched = false } = {}) {
  const folder = await newFolder();
  const port = await freePort('127.0.0.1');
  const start = ['-e', `import(${JSON.stringify(SERVER)}).then((m) => m.main())`];
  const early = watched ? ['--import', PROBE] : [];
  const child = spawn(process.execPath, [...early, ...start], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder.path,
      DEVNET_PORT: '0',
      LOG_LEVEL: 'warn',
      LIMIT_KEY_PER_MINUTE: MANY,
      LIMIT_ANON_PER_MINUTE: MANY,
      LIMIT_RPC_PER_MINUTE: MANY,
      LIMIT_REGISTRATIONS_PER_HOUR: MANY,
      LIMIT_ETCHES_KEYPAIR: MANY,
      SECRET_KEYS: randomBytes(32).toString('hex'),
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit', ...(watched ? ['ipc'] : [])],
  });
  process.once('exit', () => child.kill());
  const exited = once(child, 'exit');
  for (let tries = 0; ; tries++) {
    const ready = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (ready?.ok) break;
    if (tries > 300 || child.exitCode !== null) throw new Error('the service does not get ready');
    await sleep(100);
  }
  return {
    port,
    pid: child.pid,
    async stalled() {
      const answer = once(child, 'message');
      child.send('stalled');
      return (await answer)[0];
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
      await folder.stop();
    },
  };
}

export const clientOf = (port, apiKey) => createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey });

/** @returns the token of a person at the embedded issuer */
export async function tokenOf(port, username) {
  const answer = await fetch(`http://127.0.0.1:${port}/identity/dev-token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username }),
  });
  return (await answer.json()).access_token;
}

/** The process runs one job at a time. */
export function startLoad() {
  const child = fork(LOAD);
  return {
    async run(job) {
      child.send(job);
      const [result] = await once(child, 'message');
      if (result.error) throw new Error(result.error);
      return result;
    },
    stop: () => child.kill(),
  };
}

async function connect(url) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}

/** Counts etches without a tree and trees that are not mined. */
export async function backlog(client) {
  const { rows } = await client.query(`
    select (select count(*)::int from anchor_job) as waiting,
           (select count(*)::int from anchor_tx where state not in ('MINED', 'FINAL')) as open`);
  return rows[0];
}

export async function allAnchored(client) {
  for (;;) {
    const { waiting, open } = await backlog(client);
    if (waiting === 0 && open === 0) return;
    await sleep(500);
  }
}
