// Ten thousand etches come due in one second. Measures how soon all are revealed, and the cost for other requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../scripts/postgres.mjs';
import { openFilled } from './discovery/database.mjs';
import { word } from './discovery/rows.mjs';
import { LARGE, connect, registerAgents, startLoad, startService, within } from './support/processes.mjs';
import { milliseconds, note, rate, ratio, table } from './support/report.mjs';

const DUE = 10_000;
const OTHERS = 100_000;
const WRITERS = 64;
const SEARCHERS = 2;

export const run = ({ seconds = 10, due: many = DUE, others = OTHERS } = {}) =>
  within(async (use) => {
    const postgres = await use(startPostgres(LARGE));
    const { url } = await use(openFilled(postgres.url, others));
    const settings = { DATABASE_URL: url, ANCHOR_INTERVAL_SECONDS: '86400', MIN_REVEAL_LEAD_SECONDS: '1' };
    const service = await use(startService(settings, { watched: true }));
    const [writer, searcher] = [await use(startLoad()), await use(startLoad())];
    const client = await use(connect(url));
    const { port } = service;
    const keys = await registerAgents(port, 32);
    const path = `/api/v1/search?q=${(await client.query(`select ${word(1)} as common`)).rows[0].common}`;
    const create = (job) => writer.run({ keys, port, connections: WRITERS, expect: 201, ...job });
    const search = (job) => searcher.run({ path, port, connections: SEARCHERS, expect: 200, ...job });
    const both = async () => {
      await service.stalled();
      const [created, searched] = await Promise.all([create({ seconds }), search({ seconds })]);
      return [created.perSecond, searched.p99, await service.stalled()];
    };
    await Promise.all([create({ seconds: 3 }), search({ seconds: 3 })]);
    const before = await both();

    const due = Date.now() + 20_000;
    await create({ seconds: 15, count: many, revealAt: new Date(due).toISOString() });
    const wait = due - Date.now();
    if (wait < 1_000) throw new Error('etching took so long that some were due before all were there');
    await sleep(wait - 500);
    const [meanwhile, revealed] = await Promise.all([both(), allRevealed(client, due)]);
    const row = (name, at, shown) => [
      name,
      shown(meanwhile[at]),
      shown(before[at]),
      ratio(meanwhile[at] / before[at]),
    ];
    table(
      `${many.toLocaleString('en-US')} etches due in one second, next to ${WRITERS} connections that create and ${SEARCHERS} that search ${others.toLocaleString('en-US')} for the most common word`,
      ['what', 'when they are due', 'before', 'ratio'],
      [
        ['all revealed after', `${(revealed / 1e3).toFixed(1)} s`, '', ''],
        row('creating', 0, rate),
        row('searching, p99', 1, milliseconds),
        row('longest stall', 2, milliseconds),
      ],
    );
    note('Aim: revealed within 10 s, searches with p99 at most 500 ms, creating at least half its rate.');
  });

/** Readers see etches open at once. */
async function allRevealed(client, due) {
  for (;;) {
    const { rows } = await client.query(
      `select count(*)::int as left from etch where status = 'sealed' and reveal_at <= $1`,
      [new Date(due)],
    );
    if (Date.now() > due && rows[0].left === 0) return Date.now() - due;
    await sleep(100);
  }
}
