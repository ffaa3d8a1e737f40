// CPU of a service without requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../scripts/postgres.mjs';
import { cpuTime } from './support/cpu-time.mjs';
import { startService } from './support/processes.mjs';
import { milliseconds, note, table } from './support/report.mjs';

/** Rest begins after ten seconds. */
const SETTLE_SECONDS = 20;

export async function run({ seconds = 60 } = {}) {
  const postgres = await startPostgres();
  try {
    const rows = [];
    for (const [name, settings] of Object.entries({
      'embedded database and chain': {},
      PostgreSQL: { DATABASE_URL: postgres.url },
    })) {
      const service = await startService(settings);
      try {
        await sleep(SETTLE_SECONDS * 1000);
        const used = () => cpuTime(service.pid, { withChildren: true });
        const before = used();
        await sleep(seconds * 1000);
        rows.push([name, milliseconds((used() - before) / 1000 / seconds)]);
      } finally {
        await service.stop();
      }
    }
    table(`CPU of a service without requests, over ${seconds} s`, ['with', 'CPU a second'], rows);
    note('\nAim: at most 5 ms a second with the embedded database and chain.');
  } finally {
    await postgres.stop();
  }
}
