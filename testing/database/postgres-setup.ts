import type { TestProject } from 'vitest/node';
import { startPostgres } from '../../scripts/postgres.mjs';
import { makeTemplate } from './test-database.ts';

/** No machine loses its power here; what survives a killed server is shown with another one, as it comes (e2e). */
const FORGETFUL = { fsync: 'off', full_page_writes: 'off' };

/**
 * The PostgreSQL of the run: TEST_DATABASE_URL, else one that is started here. A migrated database in it is what the
 * test files copy.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL'];
  const own = given ? undefined : await startPostgres({ settings: FORGETFUL });
  const url = given ?? own?.url ?? '';
  try {
    const template = await makeTemplate(url);
    project.provide('postgres', { url, template: template.name });
    return async () => {
      await template.remove();
      await own?.stop();
    };
  } catch (error) {
    await own?.stop();
    if (!given) throw error;
    throw new Error(
      `TEST_DATABASE_URL must name a running PostgreSQL and a role that may create databases: ${String(error)}`,
      { cause: error },
    );
  }
}
