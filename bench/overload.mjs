// Sends more creations than possible for a minute. Measures rate and anchoring, and looks for every acknowledged etch.
import { EACH_SECOND, allAnchored, backlog, startGround } from './support/processes.mjs';
import { rate, ratio } from './support/report.mjs';

const SECONDS = 60;
/** Connections of each of two load generators. */
const CONNECTIONS = 1_000;

export const aim = 'at least 0.8 of the best rate, anchoring keeps up, no acknowledged etch is lost.';

export async function measure(use) {
  const { client, create } = await startGround(use, { settings: EACH_SECOND, loads: 2, agents: 64 });
  const alone = (time) => create({ connections: 64, seconds: time, ids: true });
  await alone(SECONDS / 12);
  const { perSecond: best } = await alone(SECONDS / 3);
  await allAnchored(client);

  const job = { connections: CONNECTIONS, seconds: SECONDS, ids: true };
  const results = await Promise.all([0, 1].map((load) => create({ ...job, load })));
  const { waiting } = await backlog(client);
  const ids = results.flatMap((result) => result.ids);
  const text = 'select count(*)::int as found from etch where id = any($1::uuid[])';
  const { rows } = await client.query(text, [ids]);
  const accepted = results[0].perSecond + results[1].perSecond;
  const anchored = ids.length - waiting;
  return {
    table: `POST /etches on PostgreSQL for ${SECONDS} s, ${2 * CONNECTIONS} connections at once`,
    head: ['what', 'figure', 'next to', 'ratio'],
    rows: [
      ['acknowledged in time', rate(accepted), `${rate(best)} at 64`, ratio(accepted / best)],
      ['other statuses', results.map(({ statuses }) => JSON.stringify(statuses)).join(', '), '', ''],
      ['anchored during the load', anchored, `${ids.length} acknowledged`, ratio(anchored / ids.length)],
      ['acknowledged and lost', ids.length - rows[0].found, `of ${ids.length}`, ''],
    ],
  };
}
