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
    table(
      `A service without requests, over ${seconds} s`,
      ['with', 'CPU a second', 'memory'],
      [
        ['embedded database and chain', ...(await measure({}, seconds))],
        ['PostgreSQL', ...(await measure({ DATABASE_URL: url }, seconds))],
      ],
    );
    note(
      'Aim: at most 5 ms a second with the embedded database and chain; 200 MB next to PostgreSQL. The memory of the embedded chain is not counted, because it is a separate process.',
    );
  });

const measure = (settings, seconds) =>
  within(async (use) => {
    const { pid } = await use(startService(settings));
    await sleep(SETTLE_SECONDS * 1000);
    const used = () => cpuTime(pid, { withChildren: true });
    const before = used();
    await sleep(seconds * 1000);
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    const megabytes = Math.round((kilobytes * 1024) / 1e6);
    return [milliseconds((used() - before) / 1000 / seconds), `${megabytes} MB`];
  });
