import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { TestOrder } from './scripts/test-order.ts';
import { filesByMark } from './testing/how-it-runs.ts';
import { SLOWNESS } from './testing/speed.ts';

const SERVER_TESTS = 'packages/server/test/**/*.test.ts';
const soak = process.env['TEST_SOAK'] === '1';
const marked = filesByMark(import.meta.dirname, ['packages/server/test', 'e2e']);
const exclude = [...configDefaults.exclude, ...(soak ? [] : ['**/*.soak.test.ts'])];

/** One process runs many files and loads the modules once, so each file must close what it opens. */
const together = { isolate: false };
/** Milliseconds after which a hanging test ends. The limit grows with the slowness of the machine. */
const limit = (normally: number, inSoak: number): number => Math.ceil((soak ? inSoak : normally) * SLOWNESS);
const common = {
  pool: 'forks' as const,
  testTimeout: limit(600_000, 900_000),
  hookTimeout: limit(600_000, 600_000),
  expect: { poll: { timeout: limit(120_000, 300_000) } },
  exclude,
};

export default defineConfig({
  test: {
    // One test file per core. Each file starts a database, a chain and a service and waits for them, so more files
    // would only wait longer.
    maxWorkers:
      (soak ? 2 : Math.max(2, Math.min(8, availableParallelism()))) +
      Number(process.env['TEST_MORE_WORKERS'] ?? 0),
    // With five whole systems and five browsers on two cores, the product's own timeouts expired.
    ...(soak && { maxConcurrency: 2 }),
    sequence: { sequencer: TestOrder },
    // Anything more than a line for each file hides the failures.
    silent: 'passed-only',
    slowTestThreshold: 600_000,
    projects: [
      {
        extends: true,
        test: {
          ...common,
          ...together,
          name: 'unit',
          include: ['packages/*/test/**/*.test.ts', 'docs/test/**/*.test.ts'],
          exclude: [...exclude, 'packages/server/**'],
          globalSetup: [
            './testing/database/embedded-setup.ts',
            './testing/clients/svc-setup.ts',
            './testing/system/shared-service-setup.ts',
          ],
        },
      },
      { extends: true, test: { ...common, ...together, name: 'server', include: marked.withoutDatabase } },
      {
        extends: true,
        test: {
          ...common,
          ...together,
          name: 'server-pglite',
          include: soak ? [SERVER_TESTS] : marked.onBoth,
          exclude: [...exclude, ...marked.withoutDatabase, ...marked.onPostgres],
          env: { TEST_ENGINE: 'pglite' },
          globalSetup: './testing/database/pglite-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          ...common,
          ...together,
          name: 'server-postgres',
          include: [SERVER_TESTS],
          exclude: [...exclude, ...marked.withoutDatabase, ...(soak ? [] : marked.inSoak)],
          env: { TEST_ENGINE: 'postgres' },
          globalSetup: './testing/database/postgres-setup.ts',
        },
      },
      {
        extends: true,
        test: {
          ...common,
          ...together,
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          exclude: [...exclude, ...(soak ? [] : marked.inSoak)],
          setupFiles: './testing/system/after-each-file.ts',
          globalSetup: ['./testing/database/embedded-setup.ts', './testing/clients/svc-setup.ts'],
          // At full count, one test starts a whole system two hundred times.
          testTimeout: limit(1_200_000, 4 * 3_600_000),
        },
      },
    ],
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
  },
});
