// More creations than possible, for a minute: rate, answers, memory, anchoring, and every acknowledged etch.
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.mjs';
import { allAnchored, backlog } from './support/anchored.mjs';
import { megabytes, residentMemory } from './support/memory.mjs';
import { registerAgents, startLoad, startService } from './support/processes.mjs';
import { milliseconds, note, rate, ratio, table } from './support/report.mjs';

const AGENTS = 64;
const BEST_CONNECTIONS = 64;
/** Each sends its next request at once. */
const GENERATORS = 2;
const CONNECTIONS = 1_000;

export async function run({ seconds = 60, connections = CONNECTIONS } = {}) {
  const postgres = await startPostgres();
  const service = await startService({ DATABASE_URL: postgres.url, ANCHOR_INTERVAL_SECONDS: '1' });
  const generators = Array.from({ length: GENERATORS }, startLoad);
  const client = new pg.Client({ connectionString: postgres.url });
  try {
    await client.connect();
    const keys = await registerAgents(service.port, AGENTS);
    const job = (load, connections, time) =>
      load.run({
        kind: 'create',
        keys,
        port: service.port,
        connections,
        seconds: time,
        expect: 201,
        ids: true,
      });
    const [first, ...others] = generators;
    await job(first, BEST_CONNECTIONS, 5);
    const best = await job(first, BEST_CONNECTIONS, seconds / 3);
    await allAnchored(client);

    const memory = watchMemory(service.pid);
    const results = await Promise.all([first, ...others].map((load) => job(load, connections, seconds)));
    const most = memory.stop();
    const ended = performance.now();
    const { waiting } = await backlog(client);
    await allAnchored(client);
    const after = (performance.now() - ended) / 1000;

    const ids = results.flatMap((result) => result.ids);
    const sum = (of) => results.reduce((total, result) => total + of(result), 0);
    const accepted = sum((result) => result.acceptedPerSecond);
    const said = results.flatMap((result) => Object.entries(result.statuses));
    table(
      `POST /etches on PostgreSQL for ${seconds} s, ${GENERATORS * connections} connections at once`,
      ['what', 'figure', 'beside', 'ratio'],
      [
        [
          'taken',
          rate(accepted),
          `${rate(best.acceptedPerSecond)} at ${BEST_CONNECTIONS}`,
          ratio(accepted / best.acceptedPerSecond),
        ],
        ...[
          ['p50 of those', 'p50'],
          ['p99 of those', 'p99'],
          ['the same without the first on each connection', 'settled'],
        ].map(([what, of]) => [what, milliseconds(Math.max(...results.map((result) => result[of]))), '', '']),
        ...[...new Set(said.map(([status]) => status))].map((status) => [
          `answered ${status}`,
          said.reduce((total, [other, count]) => total + (other === status ? count : 0), 0),
          '',
          '',
        ]),
        ['without Retry-After of those refused', sum((result) => result.unnamed), '', ''],
        ['connections cut', sum((result) => result.cut), '', ''],
        ['connections without an answer', sum((result) => result.unanswered), '', ''],
        ['memory at most', megabytes(most || undefined), '', ''],
        [
          'anchored meanwhile',
          rate((ids.length - waiting) / seconds),
          `${rate(ids.length / seconds)} acknowledged`,
          ratio(1 - waiting / ids.length),
        ],
        ['not anchored at its end', waiting, `${after.toFixed(1)} s later all`, ''],
        ['acknowledged and not there', ids.length - (await there(client, ids)), `of ${ids.length}`, ''],
      ],
    );
    note(
      '\nAim: at least 0.8 of the best rate, memory bounded, anchoring keeps its pace, nothing acknowledged lost.',
    );
  } finally {
    for (const load of generators) load.stop();
    await client.end();
    await service.stop();
    await postgres.stop();
  }
}

function watchMemory(pid) {
  let most = 0;
  const timer = setInterval(() => (most = Math.max(most, residentMemory(pid) ?? 0)), 250);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

async function there(client, ids) {
  const { rows } = await client.query('select count(*)::int as found from etch where id = any($1::uuid[])', [
    ids,
  ]);
  return rows[0].found;
}
