// Creates durable etches on PostgreSQL, next to plain inserts of the same rows.
import { startPostgres } from '../scripts/postgres.mjs';
import { cpuTime, postmasterOf } from './support/cpu-time.mjs';
import { oneRowRate } from './support/pgbench.mjs';
import { registerAgents, startLoad, startService, within } from './support/processes.mjs';
import { milliseconds, note, rate, ratio, table } from './support/report.mjs';

const AGENTS = 32;
const CONNECTIONS = [1, 16, 64];

export const run = ({ seconds = 6 } = {}) =>
  within(async (use) => {
    const postgres = await use(startPostgres());
    const results = await within((useHere) => creations(postgres, seconds, useHere));
    const plain = [];
    for (const connections of CONNECTIONS)
      plain.push(await oneRowRate({ ...postgres, users: AGENTS, connections, seconds }));
    table(
      'POST /etches on PostgreSQL, next to one-row inserts by pgbench',
      [
        'connections',
        ...['service', 'p50', 'p99', 'longest stall'],
        ...['one-row inserts', 'of the best one-row rate'],
        ...['CPU of the service for each etch', 'CPU of PostgreSQL'],
      ],
      results.map(({ perSecond, p50, p99, stall, cpu }, index) => [
        CONNECTIONS[index],
        rate(perSecond),
        ...[p50, p99, stall].map(milliseconds),
        rate(plain[index]),
        ratio(perSecond / Math.max(...plain)),
        ...cpu.map((micros) => `${Math.round(micros)} µs`),
      ]),
    );
    note(
      'Aim: at least 1.0 of the best one-row rate at 64 connections; at one connection p50 at most 2.5 times a plain insert.',
    );
  });

/** The plain inserts have no anchoring either. */
async function creations(postgres, seconds, use) {
  const settings = { DATABASE_URL: postgres.url, ANCHOR_INTERVAL_SECONDS: '86400' };
  const service = await use(startService(settings, { watched: true }));
  const load = await use(startLoad());
  const keys = await registerAgents(service.port, AGENTS);
  const job = (connections, time) =>
    load.run({ keys, port: service.port, connections, seconds: time, expect: 201 });
  await job(64, seconds / 2); // creates every account's allowance
  const spent = () => [cpuTime(service.pid), cpuTime(postmasterOf(postgres), { withChildren: true })];
  const results = [];
  for (const connections of CONNECTIONS) {
    await service.stalled();
    const before = spent();
    const found = await job(connections, seconds);
    const cpu = spent().map((time, at) => (time - before[at]) / (found.perSecond * seconds));
    results.push({ ...found, cpu, stall: await service.stalled() });
  }
  return results;
}
