// Ten thousand etches come due in one second. Measures how soon all are revealed, and the cost for other requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../scripts/postgres.mjs';
import { openFilled } from './discovery/database.mjs';
import { word } from './discovery/rows.mjs';
import { LARGE, UNANCHORED, startGround, within } from './support/processes.mjs';
import { milliseconds, note, rate, ratio, table } from './support/report.mjs';

const DUE = 10_000;
const OTHERS = 100_000;
const WRITERS = 64;
const SEARCHERS = 2;

export const run = ({ seconds = 10, due: many = DUE, others = OTHERS } = {}) =>
  within(async (use) => {
    const postgres = await use(startPostgres(LARGE));
    const { url } = await use(openFilled(postgres.url, others));
    const settings = { ...UNANCHORED, MIN_REVEAL_LEAD_SECONDS: '1' };
    const ground = await startGround(use, { url, settings, watched: true, loads: 2, agents: 32 });
    const { client, stalled } = ground;
    const path = `/api/v1/search?q=${(await client.query(`select ${word(1)} as common`)).rows[0].common}`;
    const create = (job) => ground.create({ connections: WRITERS, ...job });
    const both = async (time) => {
      await stalled();
      const search = ground.read({ load: 1, path, connections: SEARCHERS, seconds: time });
      const [created, searched] = await Promise.all([create({ seconds: time }), search]);
      return [created.perSecond, searched.p99, await stalled()];
    };
    await both(3);
    const before = await both(seconds);

    const due = Date.now() + 20_000;
    await create({ seconds: 15, count: many, revealAt: new Date(due).toISOString() });
    const wait = due - Date.now();
    if (wait < 1_000) throw new Error('etching took so long that some were due before all were there');
    await sleep(wait - 500);
    const [meanwhile, revealed] = await Promise.all([both(seconds), allRevealed(client, due)]);
    const row = (name, at, shown) => [
      ...[name, shown(meanwhile[at]), shown(before[at])],
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
  const text = `select count(*)::int as left from etch where status = 'sealed' and reveal_at <= $1`;
  for (;;) {
    const { rows } = await client.query(text, [new Date(due)]);
    if (Date.now() > due && rows[0].left === 0) return Date.now() - due;
    await sleep(100);
  }
}
