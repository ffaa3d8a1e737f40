// One process next to several (PROCESSES), in turns.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDevnet } from '../packages/server/dist/chain/devnet/devnet.js';
import { startPostgres } from '../scripts/postgres.mjs';
import { cpuTime, machineTime } from './support/cpu-time.mjs';
import { post, registerAgents, startLoad, startService } from './support/processes.mjs';
import { median, milliseconds, note, rate, ratio, table } from './support/report.mjs';

const AGENTS = 32;
const CONNECTIONS = [64, 256];

export async function run({ seconds = 3, turns = 4 } = {}) {
  const several = Math.max(2, availableParallelism());
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const [postgres, devnet] = await Promise.all([
    startPostgres(),
    startDevnet({ dataDir, port: 0, log: { info() {}, warn() {} } }),
  ]);
  const settings = {
    DATABASE_URL: postgres.url,
    SECRET_KEYS: randomBytes(32).toString('hex'),
    CHAIN_RPC_URL: devnet.rpcUrl,
    ATTESTATION_CONTRACT: devnet.contract,
    SCHEMA_UID: devnet.schemaUid,
    RELAYER_PRIVATE_KEY: devnet.relayerPrivateKey,
    IDENTITY_EMBEDDED: 'false',
    ANCHOR_INTERVAL_SECONDS: '86400',
  };
  const services = [];
  const load = startLoad();
  try {
    for (const processes of [1, several])
      services.push({ processes, ...(await startService({ ...settings, PROCESSES: String(processes) })) });
    const keys = await registerAgents(services[0].port, AGENTS);
    const { etch } = await post(
      services[0].port,
      '/api/v1/etches',
      { content: 'The tide will turn.', description: 'A tide', category_id: 'science', mode: 'instant' },
      keys[0],
    );
    const jobs = {
      'POST /etches': { kind: 'create', keys, expect: 201 },
      'GET /etches/{id}': { kind: 'get', path: `/api/v1/etches/${etch.id}`, expect: 200 },
    };
    for (const connections of CONNECTIONS)
      for (const [name, job] of Object.entries(jobs))
        await measure(name, { ...job, connections }, services, load, seconds, turns);
    note(
      '\nAim: on two cores that load generator and PostgreSQL share, creating 1.2 and reading 1.5 times, or both cores busy.',
    );
  } finally {
    load.stop();
    for (const service of services) await service.stop();
    await devnet.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(name, job, services, load, seconds, turns) {
  const ask = ({ port }, time) => load.run({ ...job, port, seconds: time });
  for (const service of services) await ask(service, seconds);
  const found = services.map(() => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, service] of services.entries()) {
      const before = { own: cpuTime(service.pid, { withChildren: true }), machine: machineTime() };
      const result = await ask(service, seconds);
      const own = cpuTime(service.pid, { withChildren: true }) - before.own;
      const machine = machineTime() - before.machine;
      found[index].push({ ...result, cores: own / 1e6 / seconds, machine: machine / 1e6 / seconds });
    }
  }
  const of = (results, field) => median(results.map((result) => result[field]));
  table(
    `${name} at ${job.connections} connections, by processes (median of ${turns} turns)`,
    ['processes', 'rate', 'p50', 'p99', 'cores that the service used', 'cores busy in all', 'of one process'],
    found.map((results, index) => [
      services[index].processes,
      rate(of(results, 'perSecond')),
      milliseconds(of(results, 'p50')),
      milliseconds(of(results, 'p99')),
      of(results, 'cores').toFixed(2),
      `${of(results, 'machine').toFixed(2)} of ${availableParallelism()}`,
      ratio(median(results.map(({ perSecond }, turn) => perSecond / found[0][turn].perSecond))),
    ]),
  );
}
