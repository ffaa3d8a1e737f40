// Measures CPU and memory of a service without requests.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../scripts/postgres.mjs';
import { cpuTime } from './support/cpu-time.mjs';
import { startService, within } from './support/processes.mjs';
import { milliseconds, note, table } from './support/report.mjs';

/** The service rests after ten seconds. */
const SETTLE_SECONDS = 20;

export const run = ({ seconds = 60 } = {}) =>
  within(async (use) => {
    const { url } = await use(startPostgres());
    const rows = [];
    for (const [name, settings] of Object.entries({
      'embedded database and chain': {},
      PostgreSQL: { DATABASE_URL: url },
    }))
      await within(async (useHere) => {
        const { pid } = await useHere(startService(settings));
        await sleep(SETTLE_SECONDS * 1000);
        const used = () => cpuTime(pid, { withChildren: true });
        const before = used();
        await sleep(seconds * 1000);
        const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
        const megabytes = Math.round((kilobytes * 1024) / 1e6);
        rows.push([name, milliseconds((used() - before) / 1000 / seconds), `${megabytes} MB`]);
      });
    table(`A service without requests, over ${seconds} s`, ['with', 'CPU a second', 'memory'], rows);
    note(
      'Aim: at most 5 ms a second with the embedded database and chain; 200 MB next to PostgreSQL. The memory of the embedded chain is not counted, because it is a separate process.',
    );
  });
