// Lists without and with a standby (DATABASE_READ_URL), in turns.
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDevnet } from '../packages/server/dist/chain/devnet/devnet.js';
import { startPostgres } from '../scripts/postgres.mjs';
import { openFilled } from './discovery/database.mjs';
import { RARE } from './discovery/rows.mjs';
import { cpuTime, postmasterOf } from './support/cpu-time.mjs';
import { startLoad, startService } from './support/processes.mjs';
import { median, milliseconds, note, rate, table } from './support/report.mjs';

const CONNECTIONS = 16;
const QUESTIONS = {
  'a list of a topic': '/api/v1/search?category=science&status=revealed',
  'a rare word': `/api/v1/search?q=${RARE}`,
  'a common word, newest': '/api/v1/search?q=the&sort=newest',
  'open challenges': '/api/v1/challenges?status=open',
};

export async function run({ size = 100_000, seconds = 3, turns = 3 } = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const primary = await startPostgres({ settings: { shared_buffers: '256MB', max_wal_size: '4GB' } });
  const devnet = await startDevnet({ dataDir, port: 0, log: { info() {}, warn() {} } });
  const load = startLoad();
  const services = [];
  let filled;
  let standby;
  try {
    filled = await openFilled(primary.url, size);
    standby = await startPostgres({ standbyOf: primary, settings: { shared_buffers: '256MB' } });
    const on = ({ url }) => Object.assign(new URL(url), { pathname: `/bench_${size}` }).href;
    const settings = {
      DATABASE_URL: on(primary),
      SECRET_KEYS: randomBytes(32).toString('hex'),
      CHAIN_RPC_URL: devnet.rpcUrl,
      ATTESTATION_CONTRACT: devnet.contract,
      SCHEMA_UID: devnet.schemaUid,
      RELAYER_PRIVATE_KEY: devnet.relayerPrivateKey,
      IDENTITY_EMBEDDED: 'false',
      ANCHOR_INTERVAL_SECONDS: '86400',
    };
    services.push({ name: 'primary alone', ...(await startService(settings)) });
    services.push({
      name: 'with a standby',
      ...(await startService({ ...settings, DATABASE_READ_URL: on(standby) })),
    });
    await served(services[1].port);
    const servers = { primary: postmasterOf(primary), standby: postmasterOf(standby) };
    const rows = [];
    for (const [question, path] of Object.entries(QUESTIONS))
      rows.push(...(await measure({ question, path, services, servers, load, seconds, turns })));
    table(
      `Lists of ${size.toLocaleString('en-US')} etches at ${CONNECTIONS} connections, on PostgreSQL alone and with a standby (median of ${turns} turns)`,
      [
        'question',
        'asked',
        'rate',
        'p50',
        'CPU of the primary an answer',
        'of the standby',
        'of the service',
      ],
      rows,
    );
    note(
      '\nOn one machine the servers share its cores: what leaves the primary is its CPU time, not the rate.',
    );
  } finally {
    load.stop();
    for (const service of services) await service.stop();
    await filled?.close();
    await standby?.stop();
    await devnet.stop();
    await primary.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Until the standby answers. */
async function served(port) {
  for (;;) {
    const { parts } = await (await fetch(`http://127.0.0.1:${port}/readyz`)).json();
    if (parts.standby.ok) return;
    await sleep(100);
  }
}

async function measure({ question, path, services, servers, load, seconds, turns }) {
  const ask = ({ port }, time) =>
    load.run({ kind: 'get', path, port, connections: CONNECTIONS, seconds: time, expect: 200 });
  for (const service of services) await ask(service, 1);
  const found = services.map(() => []);
  for (let turn = 0; turn < turns; turn++) {
    for (const [index, service] of services.entries()) {
      const spent = () =>
        [servers.primary, servers.standby, service.pid].map((pid) =>
          cpuTime(pid, { withChildren: pid !== service.pid }),
        );
      const before = spent();
      const result = await ask(service, seconds);
      if (result.refused > 0) throw new Error(`${result.refused} answers to ${path} were not 200`);
      const answers = result.perSecond * seconds;
      found[index].push({ ...result, cpu: spent().map((after, at) => (after - before[at]) / answers) });
    }
  }
  return found.map((results, index) => [
    question,
    services[index].name,
    rate(median(results.map(({ perSecond }) => perSecond))),
    milliseconds(median(results.map(({ p50 }) => p50))),
    ...[0, 1, 2].map((at) => `${Math.round(median(results.map(({ cpu }) => cpu[at])))} µs`),
  ]);
}
