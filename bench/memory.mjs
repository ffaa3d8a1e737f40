// Measures the memory of an idle service.
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../scripts/postgres.mjs';
import { megabytes, residentMemory } from './support/memory.mjs';
import { startService } from './support/processes.mjs';
import { note, table } from './support/report.mjs';

export async function run({ seconds = 20 } = {}) {
  const postgres = await startPostgres();
  try {
    const rows = [];
    for (const [name, settings] of Object.entries({
      PostgreSQL: { DATABASE_URL: postgres.url },
      'the embedded database': {},
    })) {
      const service = await startService(settings);
      try {
        const began = residentMemory(service.pid);
        await sleep(seconds * 1000);
        rows.push([name, megabytes(began), megabytes(residentMemory(service.pid))]);
      } finally {
        await service.stop();
      }
    }
    table('Resident memory of an idle service', ['beside', 'as it got ready', `${seconds} s later`], rows);
    note(
      '\nAim: below 200 MB beside PostgreSQL. The embedded chain is a process of its own and not counted.',
    );
  } finally {
    await postgres.stop();
  }
}
