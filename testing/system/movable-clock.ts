import pg from 'pg';
import type { TestNode } from '../chain/node.ts';
import { eventually } from '../wait.ts';

/**
 * The service follows a jump only if database (docs/decisions/0003-one-clock.md) and chain agree, so this moves both.
 */
export interface MovableClock {
  /**
   * Returns when the service follows, after about five seconds. A sign-in during the jump ends with an error: the
   * service gives it 15 minutes.
   */
  advance(seconds: number): Promise<void>;
}

/** Call it before the service starts. */
export async function movableClock(
  databaseUrl: string,
  chain: Pick<TestNode, 'rpc' | 'mine'>,
): Promise<MovableClock> {
  const name = new URL(databaseUrl).pathname.slice(1);
  await connected(databaseUrl, (client) =>
    client.query(
      `create schema test_clock;
       create table test_clock.ahead (seconds int not null);
       insert into test_clock.ahead values (0);
       create function test_clock.clock_timestamp() returns timestamptz language sql volatile as
         'select pg_catalog.clock_timestamp() + make_interval(secs => seconds) from test_clock.ahead';
       alter database ${pg.escapeIdentifier(name)} set search_path = public, test_clock, pg_catalog;`,
    ),
  );
  return {
    async advance(seconds) {
      await chain.rpc('evm_increaseTime', seconds);
      await chain.mine();
      await connected(databaseUrl, async (client) => {
        await client.query('update test_clock.ahead set seconds = seconds + $1', [seconds]);
        const { rows } = await client.query<{ at: Date }>('select clock_timestamp() as at');
        await eventually('the service follows its clock', async () => {
          const mark = await client.query('select from clock_mark where newest >= $1', [rows[0]!.at]);
          return mark.rowCount === 1;
        });
      });
    },
  };
}

async function connected(url: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
