import pg from 'pg';
import type { TestNode } from '../chain/node.ts';

/**
 * The service follows a jump only if database (docs/decisions/0003-one-clock.md) and chain agree, so this moves both.
 */
export interface MovableClock {
  /** The service follows within about five seconds. */
  advance(seconds: number): Promise<void>;
}

/** Call it before the service starts. */
export async function movableClock(
  databaseUrl: string,
  chain: Pick<TestNode, 'rpc' | 'mine'>,
): Promise<MovableClock> {
  const name = new URL(databaseUrl).pathname.slice(1);
  await run(
    databaseUrl,
    `create schema test_clock;
     create table test_clock.ahead (seconds int not null);
     insert into test_clock.ahead values (0);
     create function test_clock.clock_timestamp() returns timestamptz language sql volatile as
       'select pg_catalog.clock_timestamp() + make_interval(secs => seconds) from test_clock.ahead';
     alter database ${pg.escapeIdentifier(name)} set search_path = public, test_clock, pg_catalog;`,
  );
  return {
    async advance(seconds) {
      await chain.rpc('evm_increaseTime', seconds);
      await chain.mine();
      await run(databaseUrl, `update test_clock.ahead set seconds = seconds + ${seconds}`);
    },
  };
}

async function run(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}
