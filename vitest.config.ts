import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { TestOrder } from './scripts/test-order.ts';
import { SLOWNESS } from './testing/speed.ts';

const SERVER_TESTS = 'packages/server/test/**/*.test.ts';
/** Server tests that use no database run once; all others run on each database. */
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
 * These run on PostgreSQL only, because other tests run the same statements on both databases. `npm run soak` runs
 * them on the embedded database too, like the tests marked `once` (testing/database/once.ts).
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
/** The embedded database lacks these features. */
const OF_A_SERVER = [
  'packages/server/test/db/{left-open,migrate,pooler}.test.ts',
  'packages/server/test/platform/standby/standby.test.ts',
];
/** `npm run soak` runs these whole systems; cheaper tests check the same rules. */
const IN_SOAK_ALONE = [
  'e2e/{chain-outage,chain-readers,clocks,commit,fees,lying-rpc,reorg}.test.ts',
  'e2e/{audit-schemes,evidence,forger,forgotten-retractions}.test.ts',
  'e2e/{live,pages-outage}.test.ts',
];
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
    maxWorkers: soak ? 2 : Math.max(2, Math.min(8, availableParallelism())),
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
          // At full count, one test starts a whole system two hundred times.
          testTimeout: limit(1_200_000, 4 * 3_600_000),
        },
      },
    ],
    server: { deps: { external: [/\/packages\/[^/]+\/dist\//] } },
  },
});
