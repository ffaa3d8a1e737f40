import { test, type TestAPI } from 'vitest';

const leftOut = Object.assign(() => {}, { each: () => () => {} }) as unknown as TestAPI;

/**
 * A test for which one database is enough, PostgreSQL: it runs no statement of the service that others do not run on both. On the
 * embedded one `npm run soak` alone repeats it. Whole files of such tests stand in vitest.config.ts (`ON_POSTGRES_ALONE`).
 */
export const once: TestAPI =
  process.env['TEST_ENGINE'] === 'pglite' && process.env['TEST_SOAK'] !== '1' ? leftOut : test;
