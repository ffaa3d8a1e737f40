import type { TestProject } from 'vitest/node';
import { FORGETFUL, startPostgres } from './postgres.ts';
import { makeTemplate } from './test-database.ts';

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
