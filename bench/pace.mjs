// Creates while a tree is anchored every second.
import { startPostgres } from '../scripts/postgres.mjs';
import {
  allAnchored,
  backlog,
  connect,
  registerAgents,
  startLoad,
  startService,
  within,
} from './support/processes.mjs';
import { milliseconds, note, rate, ratio, table } from './support/report.mjs';

export const run = ({ seconds = 20 } = {}) =>
  within(async (use) => {
    const { url } = await use(startPostgres());
    const settings = { DATABASE_URL: url, ANCHOR_INTERVAL_SECONDS: '1' };
    const service = await use(startService(settings, { watched: true }));
    const client = await use(connect(url));
    const load = await use(startLoad());
    const keys = await registerAgents(service.port, 32);
    const job = (connections, time) =>
      load.run({ keys, port: service.port, connections, seconds: time, expect: 201 });
    await job(64, seconds / 4);
    const rows = [];
    for (const connections of [1, 16, 64]) {
      await service.stalled();
      const { perSecond, p50, p99 } = await job(connections, seconds);
      const stall = await service.stalled();
      const { waiting } = await backlog(client);
      const times = [milliseconds(p50), milliseconds(p99), ratio(p99 / p50), milliseconds(stall)];
      rows.push([connections, rate(perSecond), ...times, waiting]);
      await allAnchored(client);
    }
    table(
      'POST /etches on PostgreSQL while a tree is anchored every second',
      ['connections', 'service', 'p50', 'p99', 'p99 of p50', 'longest stall', 'not anchored at its end'],
      rows,
    );
    note('Aim: p99 at most 3 times p50 at 64 connections, and no stall over 20 ms.');
  });
