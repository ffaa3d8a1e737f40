// Creates while a tree is anchored every second.
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.mjs';
import { allAnchored, backlog } from './support/anchored.mjs';
import { registerAgents, startLoad } from './support/processes.mjs';
import { milliseconds, note, rate, ratio, table } from './support/report.mjs';
import { startWatchedService } from './support/watched-service.mjs';

const AGENTS = 32;

export async function run({ seconds = 20 } = {}) {
  const postgres = await startPostgres();
  const service = await startWatchedService({ DATABASE_URL: postgres.url, ANCHOR_INTERVAL_SECONDS: '1' });
  const client = new pg.Client({ connectionString: postgres.url });
  const load = startLoad();
  try {
    await client.connect();
    const keys = await registerAgents(service.port, AGENTS);
    const job = (connections, time) =>
      load.run({ kind: 'create', keys, port: service.port, connections, seconds: time, expect: 201 });
    await job(64, seconds / 4);
    const rows = [];
    for (const connections of [1, 16, 64]) {
      await service.stalled();
      const { perSecond, p50, p99 } = await job(connections, seconds);
      const stall = await service.stalled();
      const { waiting } = await backlog(client);
      rows.push([
        connections,
        rate(perSecond),
        milliseconds(p50),
        milliseconds(p99),
        ratio(p99 / p50),
        milliseconds(stall),
        waiting,
      ]);
      await allAnchored(client);
    }
    table(
      'POST /etches on PostgreSQL while a tree is anchored every second',
      ['connections', 'service', 'p50', 'p99', 'p99 of p50', 'longest stall', 'not anchored at its end'],
      rows,
    );
    note('\nAim: p99 at most 3 times p50 at 64 connections, and no stall over 20 ms.');
  } finally {
    load.stop();
    await client.end();
    await service.stop();
    await postgres.stop();
  }
}
