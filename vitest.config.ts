import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { TestOrder } from './scripts/test-order.ts';
import { SLOWNESS } from './testing/speed.ts';

const SERVER_TESTS = 'packages/server/test/**/*.test.ts';
/** Server tests that touch no database. They run once; all others once on each database. */
const WITHOUT_DATABASE = [
  'packages/server/test/chain/**/*.test.ts',
  'packages/server/test/anchoring/{decide/**/*,attestation,head-watch,problems}.test.ts',
  'packages/server/test/settings/**/*.test.ts',
  'packages/server/test/proofs/evidence/rebuild.test.ts',
  'packages/server/test/http/rate-limits.test.ts',
  'packages/server/test/contract/coverage.test.ts',
  'packages/server/test/house/**/*.test.ts',
  'packages/server/test/vitals/**/*.test.ts',
  'packages/server/test/{accounts/username,flow/*,processes/*}.test.ts',
  'packages/server/test/{secrets,start}/**/*.test.ts',
  'packages/server/test/accounts/strangers-text.test.ts',
  'packages/server/test/admin/{restore,strangers-words}.test.ts',
  'packages/server/test/pages/cookies.test.ts',
  'packages/server/test/scrub/files.test.ts',
  'packages/server/test/db/{connection-errors,cut-connection,embedded-thread}.test.ts',
  'packages/server/test/search-index/fold.test.ts',
  'packages/server/test/http/{cursor,drain,errors,known-etags,large-answers,quiet,validators}.test.ts',
  'packages/server/test/identity/{registered-key,settings,sign-in-client,social-admin}.test.ts',
];
const soak = process.env['TEST_SOAK'] === '1';
/**
 * Server tests that run no statement of the service which others do not run too: on the embedded database `npm run soak` alone
 * repeats them, and of the other files what `once` marks (testing/database/once.ts). Whoever writes a statement leaves it to a
 * test that is neither.
 */
const ON_POSTGRES_ALONE = [
  'packages/server/test/accounts/{issuer-names,people}.test.ts',
  'packages/server/test/admin/fsck.test.ts',
  'packages/server/test/agents/vouching.test.ts',
  'packages/server/test/anchoring/{backlog,binding,changed-key,failpoints,failpoints-in-disagreement,fees,forked-endpoints,lies,nonces,older-database,open-transactions}.test.ts',
  'packages/server/test/etches/beacons/beacons.test.ts',
  'packages/server/test/challenges/{concurrency,create,detail,entry,idempotency,list}.test.ts',
  'packages/server/test/contract/{fuzz,statuses}.test.ts',
  'packages/server/test/discovery/{accounts,home,storm}.test.ts',
  'packages/server/test/etches/{canary,clock,clock-step,erasures,idempotency,opening,promise,receipt,signatures}.test.ts',
  'packages/server/test/http/{agents,bytes,chain-reads,docs,headers,mcp,overload,unreadable}.test.ts',
  'packages/server/test/identity/**/*.test.ts',
  'packages/server/test/pages/{account-feed,allowance,composer,embedding,ended-session,forms,listeners,pages,renewed-session,sharing,signed-in}.test.ts',
  'packages/server/test/records/{blind-seals,one-moment}.test.ts',
  'packages/server/test/notify/webhooks/{events,failing,pages,webhooks}.test.ts',
];
/** What the embedded database has no like of. */
const OF_A_SERVER = [
  'packages/server/test/db/{left-open,migrate,pooler}.test.ts',
  'packages/server/test/platform/standby/standby.test.ts',
];
/** Whole systems whose rules cheaper tests show to hold, on a real chain and database: `npm run soak` alone repeats them. */
const IN_SOAK_ALONE = [
  'e2e/{chain-outage,chain-readers,clocks,commit,fees,lying-rpc,reorg}.test.ts',
  'e2e/{audit-schemes,evidence,forger,forgotten-retractions}.test.ts',
  'e2e/{live,pages-outage}.test.ts',
];
const exclude = [...configDefaults.exclude, ...(soak ? [] : ['**/*.soak.test.ts'])];

/** One process takes many files and loads what they test once: they keep nothing outside what they close. */
const together = { isolate: false };
/** A limit, in milliseconds, that ends a test that hangs. It grows with the slowness of the machine. */
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
    // In each of the two runs of a whole one (scripts/test.mjs): one test file per core. A file starts a database, a chain and a service
    // and waits for them, so more files at once than this only wait longer.
    maxWorkers: soak ? 2 : Math.max(2, Math.min(8, availableParallelism())),
    // Of the tests of one file that run side by side. With five whole systems and five browsers on two cores, bounds of the product that are
    // longer than any wait of a user were reached.
    ...(soak && { maxConcurrency: 2 }),
    sequence: { sequencer: TestOrder },
    // A line for each file, and everything about what failed: anything more hides it.
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
      { extends: true, test: { ...common, ...together, name: 'server', include: WITHOUT_DATABASE } },
      {
        extends: true,
        test: {
          ...common,
          ...together,
          name: 'server-pglite',
          include: [SERVER_TESTS],
          exclude: [...exclude, ...WITHOUT_DATABASE, ...OF_A_SERVER, ...(soak ? [] : ON_POSTGRES_ALONE)],
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
          exclude: [...exclude, ...WITHOUT_DATABASE],
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
          exclude: [...exclude, ...(soak ? [] : IN_SOAK_ALONE)],
          setupFiles: './testing/system/after-each-file.ts',
          globalSetup: ['./testing/database/embedded-setup.ts', './testing/clients/svc-setup.ts'],
          // At full count one test starts a whole system two hundred times.
          testTimeout: limit(1_200_000, 4 * 3_600_000),
        },
      },
    ],
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
  },
});
