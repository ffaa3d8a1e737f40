// Sends more creations than possible for a minute. Measures rate and anchoring, and looks for every acknowledged etch.
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

const BEST_CONNECTIONS = 64;
/** Connections of each of two load generators. */
const CONNECTIONS = 1_000;

export const run = ({ seconds = 60, connections = CONNECTIONS } = {}) =>
  within(async (use) => {
    const { url } = await use(startPostgres());
    const { port } = await use(startService({ DATABASE_URL: url, ANCHOR_INTERVAL_SECONDS: '1' }));
    const loads = [await use(startLoad()), await use(startLoad())];
    const client = await use(connect(url));
    const keys = await registerAgents(port, 64);
    const job = (load, count, time) =>
      load.run({ keys, port, connections: count, seconds: time, expect: 201, ids: true });
    await job(loads[0], BEST_CONNECTIONS, seconds / 12);
    const best = await job(loads[0], BEST_CONNECTIONS, seconds / 3);
    await allAnchored(client);

    const results = await Promise.all(loads.map((load) => job(load, connections, seconds)));
    const ended = performance.now();
    const { waiting } = await backlog(client);
    await allAnchored(client);
    const after = (performance.now() - ended) / 1000;

    const ids = results.flatMap((result) => result.ids);
    const accepted = results.reduce((sum, { acceptedPerSecond }) => sum + acceptedPerSecond, 0);
    const { rows } = await client.query(
      'select count(*)::int as found from etch where id = any($1::uuid[])',
      [ids],
    );
    const statuses = results.map((result) => JSON.stringify(result.statuses)).join(', ');
    const slowest = (of) => milliseconds(Math.max(...results.map((result) => result[of])));
    table(
      `POST /etches on PostgreSQL for ${seconds} s, ${2 * connections} connections at once`,
      ['what', 'figure', 'next to', 'ratio'],
      [
        [
          'acknowledged in time',
          rate(accepted),
          `${rate(best.acceptedPerSecond)} at ${BEST_CONNECTIONS}`,
          ratio(accepted / best.acceptedPerSecond),
        ],
        ['p50 and p99 of those', `${slowest('p50')}, ${slowest('p99')}`, '', ''],
        ['other statuses', statuses, '', ''],
        [
          'anchored meanwhile',
          rate((ids.length - waiting) / seconds),
          `${rate(ids.length / seconds)} acknowledged`,
          ratio(1 - waiting / ids.length),
        ],
        ['not anchored at its end', waiting, `all ${after.toFixed(1)} s later`, ''],
        ['acknowledged and lost', ids.length - rows[0].found, `of ${ids.length}`, ''],
      ],
    );
    note('Aim: at least 0.8 of the best rate, anchoring keeps up, no acknowledged etch is lost.');
  });
