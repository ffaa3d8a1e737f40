// Measures how long other requests wait while the embedded database searches 100,000 etches.
import { join } from 'node:path';
import { migrate } from '../packages/server/dist/db/migrate.js';
import { openPglite } from '../packages/server/dist/db/pglite.js';
import { fill, word } from './discovery/rows.mjs';
import { UNANCHORED, newFolder, startLoad, startService, within } from './support/processes.mjs';
import { milliseconds, note, rate, table } from './support/report.mjs';

const ETCHES = 100_000;

export const run = ({ seconds = 10, etches = ETCHES } = {}) =>
  within(async (use) => {
    const { path: dataDir } = await use(newFolder());
    const common = await fillEmbedded(join(dataDir, 'database'), etches);
    const settings = { DATA_DIR: dataDir, ...UNANCHORED };
    const service = await use(startService(settings, { watched: true }));
    const [prober, searcher] = [await use(startLoad()), await use(startLoad())];
    const ask = (load, path) => load.run({ path, port: service.port, connections: 1, seconds, expect: 200 });
    const probe = async () => {
      await service.stalled();
      const { perSecond, p50, p99 } = await ask(prober, '/healthz');
      return [rate(perSecond), ...[p50, p99, await service.stalled()].map(milliseconds)];
    };
    await ask(prober, '/healthz');
    const alone = await probe();
    const [meanwhile, searches] = await Promise.all([probe(), ask(searcher, `/api/v1/search?q=${common}`)]);
    table(
      `GET /healthz while the embedded database searches ${etches.toLocaleString('en-US')} etches for the most common word`,
      ['next to', 'healthz', 'p50', 'p99', 'longest stall', 'one search takes (p50)'],
      [
        ['nothing', ...alone, ''],
        ['searches, one after the other', ...meanwhile, milliseconds(searches.p50)],
      ],
    );
    note('Aim: p99 at most 20 ms.');
  });

/** @returns the most common word */
const fillEmbedded = (dataDir, etches) =>
  within(async (use) => {
    const db = await use(openPglite({ dataDir }));
    const run = (text) => db.query({ text, values: [] });
    await migrate(db);
    await fill(run, etches);
    return (await run(`select ${word(1)} as common`))[0].common;
  });
