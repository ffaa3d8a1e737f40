// Measures CPU and memory of a service without requests.
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../scripts/postgres.mjs';
import { cpuTime } from './support/cpu-time.mjs';
import { startService, within } from './support/processes.mjs';
import { milliseconds } from './support/report.mjs';

/** The service rests after ten seconds. */
const SETTLE_SECONDS = 20;
const SECONDS = 60;

export const aim =
  'at most 5 ms a second with the embedded database and chain; 200 MB next to PostgreSQL. The memory of the embedded chain is not counted, because it is a separate process.';

export async function measure(use) {
  const { url } = await use(startPostgres());
  return {
    table: `A service without requests, over ${SECONDS} s`,
    head: ['with', 'CPU a second', 'memory'],
    rows: [
      ['embedded database and chain', ...(await rest({}))],
      ['PostgreSQL', ...(await rest({ DATABASE_URL: url }))],
    ],
  };
}

const rest = (settings) =>
  within(async (use) => {
    const { pid } = await use(startService(settings));
    await sleep(SETTLE_SECONDS * 1000);
    const before = cpuTime(pid);
    await sleep(SECONDS * 1000);
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    const megabytes = Math.round((kilobytes * 1024) / 1e6);
    return [milliseconds((cpuTime(pid) - before) / 1000 / SECONDS), `${megabytes} MB`];
  });
