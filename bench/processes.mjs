// Compares one process with several (PROCESSES), in turns.
import { randomBytes } from 'node:crypto';
import { availableParallelism, cpus } from 'node:os';
import { startDevnet } from '../packages/server/dist/chain/devnet/devnet.js';
import { startPostgres } from '../scripts/postgres.mjs';
import { UNANCHORED, newFolder, startGround } from './support/processes.mjs';
import { inTurns, median, rate, ratio } from './support/report.mjs';

const JOB = { connections: 64, seconds: 3 };
const TURNS = 4;

export const aim =
  'on two cores that load generator and PostgreSQL share, creating 1.2 and reading 1.5 times, or both cores busy.';

export async function measure(use) {
  const postgres = await use(startPostgres());
  const chain = await startChain(use);
  const grounds = [];
  for (const processes of [1, Math.max(2, availableParallelism())]) {
    const settings = { ...chain, ...UNANCHORED, PROCESSES: String(processes) };
    grounds.push({ processes, ...(await startGround(use, { postgres, settings, agents: 32 })) });
  }
  const { ids } = await grounds[0].create({ connections: 1, count: 1, seconds: 5, ids: true });
  const path = `/api/v1/etches/${ids[0]}`;
  return {
    table: `The service at ${JOB.connections} connections, by processes (median of ${TURNS} turns)`,
    head: ['request', 'processes', 'rate', 'cores busy', 'rate of one process'],
    rows: [
      ...(await compare('POST /etches', grounds, ({ create }) => create(JOB))),
      ...(await compare('GET /etches/{id}', grounds, ({ read }) => read({ ...JOB, path }))),
    ],
  };
}

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

/** Milliseconds of all cores. Busy time is the rest, which includes interrupts and what a host takes. */
const idleTime = () => cpus().reduce((total, { times }) => total + times.idle, 0);

async function compare(name, grounds, ask) {
  for (const ground of grounds) await ask(ground);
  const observe = (ground) => async () => {
    const [began, idle] = [performance.now(), idleTime()];
    const { perSecond } = await ask(ground);
    const cores = availableParallelism() - (idleTime() - idle) / (performance.now() - began);
    return { perSecond, cores };
  };
  const found = await inTurns(TURNS, grounds.map(observe));
  return found.map((results, index) => {
    const cores = median(results.map((result) => result.cores));
    const share = median(results.map(({ perSecond }, turn) => perSecond / found[0][turn].perSecond));
    return [
      name,
      grounds[index].processes,
      rate(median(results.map(({ perSecond }) => perSecond))),
      `${cores.toFixed(2)} of ${availableParallelism()}`,
      ratio(share),
    ];
  });
}
