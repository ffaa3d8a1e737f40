import { test, type TestAPI } from 'vitest';

const leftOut = Object.assign(() => {}, { each: () => () => {} }) as unknown as TestAPI;

/**
 * A test that needs only PostgreSQL: it runs no statement that other tests do not run on both databases. Only `npm run soak` repeats it
 * on PGlite. vitest.config.ts lists whole files of such tests (`ON_POSTGRES_ALONE`).
 */
export const once: TestAPI =
  process.env['TEST_ENGINE'] === 'pglite' && process.env['TEST_SOAK'] !== '1' ? leftOut : test;
