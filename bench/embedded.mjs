// Measures how long other requests wait while the embedded database searches 100,000 etches.
import { join } from 'node:path';
import { migrate } from '../packages/server/dist/db/migrate.js';
import { openPglite } from '../packages/server/dist/db/pglite.js';
import { COMMON, fill } from './support/etches.mjs';
import { UNANCHORED, newFolder, startLoad, startService, within } from './support/processes.mjs';
import { count, milliseconds, rate } from './support/report.mjs';

const ETCHES = 100_000;

export const aim = 'p99 at most 20 ms.';

export async function measure(use) {
  const { path: dataDir } = await use(newFolder());
  await within(async (open) => {
    const db = await open(openPglite({ dataDir: join(dataDir, 'database') }));
    await migrate(db);
    await fill((text) => db.query({ text, values: [] }), ETCHES);
  });
  const { port } = await use(startService({ DATA_DIR: dataDir, ...UNANCHORED }));
  const [prober, searcher] = [await use(startLoad()), await use(startLoad())];
  const ask = (load, path) => load.run({ path, port, connections: 1, seconds: 10, expect: 200 });
  const probe = () => ask(prober, '/healthz');
  await probe();
  const alone = await probe();
  const [meanwhile, searches] = await Promise.all([probe(), ask(searcher, `/api/v1/search?q=${COMMON}`)]);
  const row = ({ perSecond, p50, p99 }) => [rate(perSecond), milliseconds(p50), milliseconds(p99)];
  return {
    table: `GET /healthz while the embedded database searches ${count(ETCHES)} etches for the most common word`,
    head: ['next to', 'healthz', 'p50', 'p99', 'one search takes (p50)'],
    rows: [
      ['nothing', ...row(alone), ''],
      ['one search at a time', ...row(meanwhile), milliseconds(searches.p50)],
    ],
  };
}
