// Do others wait while the embedded database searches 100,000 etches?
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../packages/server/dist/db/migrate.js';
import { openPglite } from '../packages/server/dist/db/pglite.js';
import { searchText } from '../packages/server/dist/search-index/fold.js';
import { checkFold, fill, word } from './discovery/rows.mjs';
import { startLoad } from './support/processes.mjs';
import { milliseconds, note, rate, table } from './support/report.mjs';
import { startWatchedService } from './support/watched-service.mjs';

const ETCHES = 100_000;
const SECONDS = 10;

export async function run() {
  const dataDir = await mkdtemp(join(tmpdir(), 'svc-bench-'));
  const [prober, searcher] = [startLoad(), startLoad()];
  try {
    const common = await fillEmbedded(join(dataDir, 'database'));
    const service = await startWatchedService({ DATA_DIR: dataDir, ANCHOR_INTERVAL_SECONDS: '86400' });
    try {
      const ask = (load, path) =>
        load.run({ kind: 'get', path, port: service.port, connections: 1, seconds: SECONDS, expect: 200 });
      await ask(prober, '/healthz');
      await service.stalled();
      const alone = [await ask(prober, '/healthz'), await service.stalled()];
      const [health, searches] = await Promise.all([
        ask(prober, '/healthz'),
        ask(searcher, `/api/v1/search?q=${common}`),
      ]);
      const beside = [health, await service.stalled()];
      table(
        `GET /healthz while the embedded database searches ${ETCHES.toLocaleString('en-US')} etches for the most common word`,
        ['beside', 'healthz', 'p50', 'p99', 'longest stall', 'one search takes (p50)'],
        [
          ['nothing', ...row(alone), ''],
          ['searches, one after the other', ...row(beside), milliseconds(searches.p50)],
        ],
      );
      note('\nAim: p99 at most 20 ms.');
    } finally {
      await service.stop();
    }
  } finally {
    prober.stop();
    searcher.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const row = ([{ perSecond, p50, p99 }, stall]) => [
  rate(perSecond),
  milliseconds(p50),
  milliseconds(p99),
  milliseconds(stall),
];

/** @returns the most common word */
async function fillEmbedded(dataDir) {
  const db = await openPglite({ dataDir });
  const run = (text) => db.query({ text, values: [] });
  try {
    await migrate(db);
    await fill(run, ETCHES);
    await checkFold(run, searchText);
    const [{ common }] = await run(`select ${word(1)} as common`);
    return common;
  } finally {
    await db.close();
  }
}
