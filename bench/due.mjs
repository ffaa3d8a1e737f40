// Ten thousand etches come due in one second. Measures how soon all are revealed, and the cost for other requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { COMMON } from './support/etches.mjs';
import { UNANCHORED, startFilled, startGround } from './support/processes.mjs';
import { count, milliseconds, rate, ratio } from './support/report.mjs';

const DUE = 10_000;
const OTHERS = 100_000;
const WRITERS = 64;
const SEARCHERS = 2;

export const aim = 'revealed within 10 s, searches with p99 at most 500 ms, creating at least half its rate.';

export async function measure(use) {
  const postgres = await startFilled(use, OTHERS);
  const settings = { ...UNANCHORED, MIN_REVEAL_LEAD_SECONDS: '1' };
  const { client, create, read } = await startGround(use, { postgres, settings, loads: 2, agents: 32 });
  const path = `/api/v1/search?q=${COMMON}`;
  const both = (time) =>
    Promise.all([
      create({ connections: WRITERS, seconds: time }),
      read({ load: 1, path, connections: SEARCHERS, seconds: time }),
    ]);
  await both(3);
  const [created, searched] = await both(10);

  const due = Date.now() + 20_000;
  await create({ connections: WRITERS, seconds: 15, count: DUE, revealAt: new Date(due).toISOString() });
  const wait = due - Date.now();
  if (wait < 1_000) throw new Error('etching took so long that some were due before all were there');
  await sleep(wait - 500);
  const [[creating, searching], revealed] = await Promise.all([both(10), allRevealed(client, due)]);
  const row = (name, now, before, shown) => [name, shown(now), shown(before), ratio(now / before)];
  return {
    table: `${count(DUE)} etches due in one second, next to ${WRITERS} connections that create and ${SEARCHERS} that search ${count(OTHERS)} for the most common word`,
    head: ['what', 'when they are due', 'before', 'ratio'],
    rows: [
      ['all revealed after', `${(revealed / 1e3).toFixed(1)} s`, '', ''],
      row('creating', creating.perSecond, created.perSecond, rate),
      row('searching, p99', searching.p99, searched.p99, milliseconds),
    ],
  };
}

/** Readers see etches open at once. */
async function allRevealed(client, due) {
  const text = `select count(*)::int as left from etch where status = 'sealed' and reveal_at <= $1`;
  for (;;) {
    const { rows } = await client.query(text, [new Date(due)]);
    if (Date.now() > due && rows[0].left === 0) return Date.now() - due;
    await sleep(100);
  }
}
