// Ten thousand etches come due in one second: how soon all are revealed, and what that costs others.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.mjs';
import { openFilled } from './discovery/database.mjs';
import { word } from './discovery/rows.mjs';
import { registerAgents, startLoad } from './support/processes.mjs';
import { milliseconds, note, rate, ratio, table } from './support/report.mjs';
import { startWatchedService } from './support/watched-service.mjs';

const DUE = 10_000;
const OTHERS = 100_000;
const SECONDS = 10;
const WRITERS = 64;
const SEARCHERS = 2;

export async function run() {
  const postgres = await startPostgres({ settings: { shared_buffers: '1GB', max_wal_size: '4GB' } });
  const opened = await openFilled(postgres.url, OTHERS);
  const service = await startWatchedService({
    DATABASE_URL: opened.url,
    ANCHOR_INTERVAL_SECONDS: '86400',
    MIN_REVEAL_LEAD_SECONDS: '1',
  });
  const [writer, searcher] = [startLoad(), startLoad()];
  const client = new pg.Client({ connectionString: opened.url });
  try {
    await client.connect();
    const { port } = service;
    const keys = await registerAgents(port, 32);
    const [{ common }] = (await client.query(`select ${word(1)} as common`)).rows;
    const create = (job) =>
      writer.run({ kind: 'create', keys, port, connections: WRITERS, expect: 201, ...job });
    const search = (job) =>
      searcher.run({
        ...{ kind: 'get', path: `/api/v1/search?q=${common}`, port, connections: SEARCHERS, expect: 200 },
        ...job,
      });
    const both = async () => {
      await service.stalled();
      const [created, searched] = await Promise.all(
        [create, search].map((load) => load({ seconds: SECONDS })),
      );
      return { created, searched, stall: await service.stalled() };
    };
    await Promise.all([create({ seconds: 3 }), search({ seconds: 3 })]);
    const before = await both();

    const due = Date.now() + 20_000;
    await create({ seconds: 15, count: DUE, revealAt: new Date(due).toISOString() });
    const wait = due - Date.now();
    if (wait < 1_000) throw new Error('etching took so long that some were due before all were there');
    await sleep(wait - 500);
    const [meanwhile, revealed] = await Promise.all([both(), allRevealed(client, due)]);
    table(
      `${DUE.toLocaleString('en-US')} etches due in one second, beside ${WRITERS} connections that create and ${SEARCHERS} that search ${OTHERS.toLocaleString('en-US')} for the most common word`,
      ['what', 'when they are due', 'before', 'ratio'],
      [
        ['all revealed after', `${(revealed / 1e3).toFixed(1)} s`, '', ''],
        [
          'creating',
          rate(meanwhile.created.perSecond),
          rate(before.created.perSecond),
          ratio(meanwhile.created.perSecond / before.created.perSecond),
        ],
        [
          'searching, p99',
          milliseconds(meanwhile.searched.p99),
          milliseconds(before.searched.p99),
          ratio(meanwhile.searched.p99 / before.searched.p99),
        ],
        ['longest stall', milliseconds(meanwhile.stall), milliseconds(before.stall), ''],
      ],
    );
    note('\nAim: revealed within 10 s, searches with p99 at most 500 ms, creating at least half its rate.');
  } finally {
    for (const load of [writer, searcher]) load.stop();
    await client.end();
    await service.stop();
    await opened.close();
    await postgres.stop();
  }
}

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
