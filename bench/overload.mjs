// Sends more creations than possible for a minute. Measures rate and anchoring, and looks for every acknowledged etch.
import { allAnchored, backlog, startGround, within } from './support/processes.mjs';
import { milliseconds, note, rate, ratio, table } from './support/report.mjs';

const BEST_CONNECTIONS = 64;
/** Connections of each of two load generators. */
const CONNECTIONS = 1_000;

export const run = ({ seconds = 60, connections = CONNECTIONS } = {}) =>
  within(async (use) => {
    const settings = { ANCHOR_INTERVAL_SECONDS: '1' };
    const { client, create } = await startGround(use, { settings, loads: 2, agents: 64 });
    const alone = (time) => create({ connections: BEST_CONNECTIONS, seconds: time, ids: true });
    await alone(seconds / 12);
    const best = await alone(seconds / 3);
    await allAnchored(client);

    const results = await Promise.all(
      [0, 1].map((load) => create({ load, connections, seconds, ids: true })),
    );
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
    const [atBest, share] = [best.acceptedPerSecond, accepted / best.acceptedPerSecond];
    const [anchored, acknowledged] = [(ids.length - waiting) / seconds, ids.length / seconds];
    table(
      `POST /etches on PostgreSQL for ${seconds} s, ${2 * connections} connections at once`,
      ['what', 'figure', 'next to', 'ratio'],
      [
        ['acknowledged in time', rate(accepted), `${rate(atBest)} at ${BEST_CONNECTIONS}`, ratio(share)],
        ['p50 and p99 of those', `${slowest('p50')}, ${slowest('p99')}`, '', ''],
        ['other statuses', statuses, '', ''],
        [
          'anchored meanwhile',
          rate(anchored),
          `${rate(acknowledged)} acknowledged`,
          ratio(anchored / acknowledged),
        ],
        ['not anchored at its end', waiting, `all ${after.toFixed(1)} s later`, ''],
        ['acknowledged and lost', ids.length - rows[0].found, `of ${ids.length}`, ''],
      ],
    );
    note('Aim: at least 0.8 of the best rate, anchoring keeps up, no acknowledged etch is lost.');
  });
