// Compares one process with several (PROCESSES), in turns.
import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { startDevnet } from '../packages/server/dist/chain/devnet/devnet.js';
import { startPostgres } from '../scripts/postgres.mjs';
import { cpuTime, machineTime } from './support/cpu-time.mjs';
import { UNANCHORED, etchTide, newFolder, startGround, within } from './support/processes.mjs';
import { median, milliseconds, note, rate, ratio, table } from './support/report.mjs';

const CONNECTIONS = [64, 256];

export const run = ({ seconds = 3, turns = 4 } = {}) =>
  within(async (use) => {
    const { url } = await use(startPostgres());
    const settings = { ...(await startChain(use)), ...UNANCHORED };
    const grounds = [];
    for (const processes of [1, Math.max(2, availableParallelism())])
      grounds.push({
        processes,
        ...(await startGround(use, {
          url,
          settings: { ...settings, PROCESSES: String(processes) },
          agents: 32,
        })),
      });
    const path = `/api/v1/etches/${await etchTide(grounds[0].port, grounds[0].keys[0])}`;
    for (const connections of CONNECTIONS) {
      const job = { connections, seconds };
      await measure('POST /etches', grounds, turns, job, ({ create }) => create(job));
      await measure('GET /etches/{id}', grounds, turns, job, ({ read }) => read({ ...job, path }));
    }
    note(
      'Aim: on two cores that load generator and PostgreSQL share, creating 1.2 and reading 1.5 times, or both cores busy.',
    );
  });

/** The services share a chain. @returns settings */
async function startChain(use) {
  const { path } = await use(newFolder());
  const devnet = await use(startDevnet({ dataDir: path, port: 0, log: { info() {}, warn() {} } }));
  return {
    SECRET_KEYS: randomBytes(32).toString('hex'),
    CHAIN_RPC_URL: devnet.rpcUrl,
    ATTESTATION_CONTRACT: devnet.contract,
    SCHEMA_UID: devnet.schemaUid,
    RELAYER_PRIVATE_KEY: devnet.relayerPrivateKey,
    IDENTITY_EMBEDDED: 'false',
  };
}

async function measure(name, grounds, turns, { connections, seconds }, ask) {
  for (const ground of grounds) await ask(ground);
  const found = grounds.map(() => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, ground] of grounds.entries()) {
      const spent = () => [cpuTime(ground.pid, { withChildren: true }), machineTime()];
      const before = spent();
      const result = await ask(ground);
      const [own, machine] = spent().map((time, at) => (time - before[at]) / 1e6 / seconds);
      found[index].push({ ...result, own, machine });
    }
  }
  const of = (results, field) => median(results.map((result) => result[field]));
  table(
    `${name} at ${connections} connections, by processes (median of ${turns} turns)`,
    ['processes', 'rate', 'p50', 'p99', 'cores of the service', 'cores busy', 'of one process'],
    found.map((results, index) => [
      grounds[index].processes,
      rate(of(results, 'perSecond')),
      milliseconds(of(results, 'p50')),
      milliseconds(of(results, 'p99')),
      of(results, 'own').toFixed(2),
      `${of(results, 'machine').toFixed(2)} of ${availableParallelism()}`,
      ratio(median(results.map(({ perSecond }, turn) => perSecond / found[0][turn].perSecond))),
    ]),
  );
}
