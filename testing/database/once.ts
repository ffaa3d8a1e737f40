import { test, type TestAPI } from 'vitest';

const leftOut = Object.assign(() => {}, { each: () => () => {} }) as unknown as TestAPI;

/** In a file that runs on both databases: runs on PostgreSQL; `npm run soak` repeats it on PGlite. */
export const once: TestAPI =
  process.env['TEST_ENGINE'] === 'pglite' && process.env['TEST_SOAK'] !== '1' ? leftOut : test;

/** Only `npm run soak` runs it: a cheaper test shows the rule, or the test must take minutes. */
export const soakOnly: TestAPI = process.env['TEST_SOAK'] === '1' ? test : leftOut;
