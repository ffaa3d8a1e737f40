// Durable POST /etches, next to plain inserts of the same rows.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.mjs';
import { oneRowRate } from './support/pgbench.mjs';
import { registerAgents, startLoad } from './support/processes.mjs';
import { printProfile } from './support/profile.mjs';
import { milliseconds, note, rate, ratio, table } from './support/report.mjs';
import { startWatchedService } from './support/watched-service.mjs';

const AGENTS = 32;
const CONNECTIONS = [1, 16, 64];

export async function run({ seconds = 6 } = {}) {
  await onPostgres(seconds);
  await onPglite(seconds);
}

async function measure(service, seconds) {
  const keys = await registerAgents(service.port, AGENTS);
  const load = startLoad();
  const job = (connections, time) =>
    load.run({ kind: 'create', keys, port: service.port, connections, seconds: time, expect: 201 });
  try {
    await job(64, seconds / 2); // Creates every account's bucket.
    const results = [];
    for (const connections of CONNECTIONS) {
      await service.stalled();
      const found = await job(connections, seconds);
      results.push({ connections, ...found, stall: await service.stalled() });
    }
    return results;
  } finally {
    load.stop();
  }
}

async function onPostgres(seconds) {
  const postgres = await startPostgres();
  try {
    // Plain inserts have no anchoring.
    const service = await startWatchedService({
      DATABASE_URL: postgres.url,
      ANCHOR_INTERVAL_SECONDS: '86400',
    });
    const { result: results, bytes } = await logged(postgres.url, () => measure(service, seconds));
    await service.stop();
    const plain = [];
    for (const connections of CONNECTIONS) {
      plain.push(await oneRowRate({ ...postgres, users: AGENTS, connections, seconds }));
    }
    const best = Math.max(...plain.map((result) => result.perSecond));
    table(
      `POST /etches on PostgreSQL, beside one-row inserts by ${plain[0].by}`,
      [
        'connections',
        'service',
        'p50',
        'p99',
        'one-row inserts',
        'of the best one-row rate',
        'refused',
        'longest stall',
      ],
      results.map((result, index) => [
        result.connections,
        rate(result.perSecond),
        milliseconds(result.p50),
        milliseconds(result.p99),
        rate(plain[index].perSecond),
        ratio(result.perSecond / best),
        result.refused,
        milliseconds(result.stall),
      ]),
    );
    note(
      '\nAim: at least 1.0 of the best one-row rate at 64 connections. ' +
        `For each etch PostgreSQL wrote ${bytes.toLocaleString('en-US')} bytes into its log, which is what a standby is sent.`,
    );
    await printProfile({
      title: 'POST /etches at 64 connections',
      settings: { ANCHOR_INTERVAL_SECONDS: '86400' },
      seconds,
      async prepare({ port }) {
        const keys = await registerAgents(port, AGENTS);
        return { kind: 'create', keys, port, connections: 64, expect: 201 };
      },
    });
  } finally {
    await postgres.stop();
  }
}

/** Write-ahead log per etch: what a standby receives. */
async function logged(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const look = async () =>
    (
      await client.query(
        `select pg_current_wal_lsn() - '0/0' as bytes, (select count(*) from etch) as etches`,
      )
    ).rows[0];
  try {
    const before = await look();
    const result = await work();
    const after = await look();
    return { result, bytes: Math.round((after.bytes - before.bytes) / (after.etches - before.etches)) };
  } finally {
    await client.end();
  }
}

async function onPglite(seconds) {
  const service = await startWatchedService({ ANCHOR_INTERVAL_SECONDS: '86400' });
  const results = await measure(service, seconds);
  await service.stop();
  const child = fork(fileURLToPath(new URL('support/pglite-one-row.mjs', import.meta.url)), [
    String(seconds),
  ]);
  const [{ perSecond }] = await once(child, 'message');
  table(
    'POST /etches on PGlite, beside one-row inserts in its own process',
    ['connections', 'service', 'p50', 'p99', 'one-row inserts', 'ratio', 'refused', 'longest stall'],
    results.map((result) => [
      result.connections,
      rate(result.perSecond),
      milliseconds(result.p50),
      milliseconds(result.p99),
      rate(perSecond),
      ratio(result.perSecond / perSecond),
      result.refused,
      milliseconds(result.stall),
    ]),
  );
}
