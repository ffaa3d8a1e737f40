// Compares one process with several (PROCESSES), in turns.
import { availableParallelism } from 'node:os';
import { startPostgres } from '../scripts/postgres.mjs';
import { cpuTime, machineTime } from './support/cpu-time.mjs';
import {
  clientOf,
  registerAgents,
  startChain,
  startLoad,
  startService,
  within,
} from './support/processes.mjs';
import { median, milliseconds, note, rate, ratio, table } from './support/report.mjs';

const CONNECTIONS = [64, 256];

export const run = ({ seconds = 3, turns = 4 } = {}) =>
  within(async (use) => {
    const { url } = await use(startPostgres());
    const { settings } = await use(startChain());
    const load = await use(startLoad());
    const services = [];
    for (const processes of [1, Math.max(2, availableParallelism())]) {
      const own = { ...settings, DATABASE_URL: url, ANCHOR_INTERVAL_SECONDS: '86400' };
      services.push({ processes, ...(await use(startService({ ...own, PROCESSES: String(processes) }))) });
    }
    const [{ port }] = services;
    const keys = await registerAgents(port, 32);
    const { etch } = await clientOf(port, keys[0]).etch({
      content: 'The tide will turn.',
      description: 'A tide',
      category_id: 'science',
      mode: 'instant',
    });
    const jobs = {
      'POST /etches': { keys, expect: 201 },
      'GET /etches/{id}': { path: `/api/v1/etches/${etch.id}`, expect: 200 },
    };
    for (const connections of CONNECTIONS)
      for (const [name, job] of Object.entries(jobs))
        await measure(name, { ...job, connections }, services, load, seconds, turns);
    note(
      'Aim: on two cores that load generator and PostgreSQL share, creating 1.2 and reading 1.5 times, or both cores busy.',
    );
  });

async function measure(name, job, services, load, seconds, turns) {
  const ask = ({ port }) => load.run({ ...job, port, seconds });
  for (const service of services) await ask(service);
  const found = services.map(() => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, service] of services.entries()) {
      const spent = () => [cpuTime(service.pid, { withChildren: true }), machineTime()];
      const before = spent();
      const result = await ask(service);
      const [own, machine] = spent().map((time, at) => (time - before[at]) / 1e6 / seconds);
      found[index].push({ ...result, own, machine });
    }
  }
  const of = (results, field) => median(results.map((result) => result[field]));
  table(
    `${name} at ${job.connections} connections, by processes (median of ${turns} turns)`,
    ['processes', 'rate', 'p50', 'p99', 'cores of the service', 'cores busy', 'of one process'],
    found.map((results, index) => [
      services[index].processes,
      rate(of(results, 'perSecond')),
      milliseconds(of(results, 'p50')),
      milliseconds(of(results, 'p99')),
      of(results, 'own').toFixed(2),
      `${of(results, 'machine').toFixed(2)} of ${availableParallelism()}`,
      ratio(median(results.map(({ perSecond }, turn) => perSecond / found[0][turn].perSecond))),
    ]),
  );
}
