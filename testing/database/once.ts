import { test, type TestAPI } from 'vitest';

const leftOut = Object.assign(() => {}, { each: () => () => {} }) as unknown as TestAPI;

/**
 * Runs on PostgreSQL; `npm run soak` repeats it on PGlite. For whole files: testing/how-it-runs.ts.
 */
export const once: TestAPI =
  process.env['TEST_ENGINE'] === 'pglite' && process.env['TEST_SOAK'] !== '1' ? leftOut : test;
