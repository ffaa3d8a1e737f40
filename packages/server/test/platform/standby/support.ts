import { readFileSync, statSync } from 'node:fs';
import { ask } from '../../../../../testing/database/pair.ts';
import { type PostgresServer, startPostgres } from '../../../../../testing/database/postgres.ts';
import type { TestDatabase } from '../../../../../testing/database/test-database.ts';
import type { TestClock } from '../../../../../testing/service/clock.ts';
import { eventually } from '../../../../../testing/wait.ts';
import type { Db } from '../../../src/db/db.ts';
import { openPostgres } from '../../../src/db/postgres.ts';
import { createStandby, type Standby } from '../../../src/platform/standby/standby.ts';

const SETTINGS = { fsync: 'off', log_statement: 'all', max_standby_streaming_delay: 0, jit: 'off' };
export const MAX_AGE_MS = 5_000;

export interface Followed {
  primary: PostgresServer;
  follower: PostgresServer;
  opened: { db: Db; standby: Standby };
  open(parts: { db: TestDatabase; clock: TestClock }): Standby;
  stop(): Promise<void>;
}

export async function startFollowed(): Promise<Followed> {
  const primary = await startPostgres({ settings: SETTINGS });
  const follower = await startPostgres({ standbyOf: primary, settings: SETTINGS });
  const followed = {
    primary,
    follower,
    opened: undefined as never as Followed['opened'],
    open({ db, clock }: { db: TestDatabase; clock: TestClock }): Standby {
      const url = new URL(follower.url);
      url.pathname = new URL(db.url!).pathname;
      const there = openPostgres({ url: url.href, standby: true, statementTimeout: 5_000 });
      const log = { warn: () => undefined, info: () => undefined };
      const standby = createStandby({ primary: db, standby: there, clock, maxAge: MAX_AGE_MS, log });
      followed.opened = { db: there, standby };
      return standby;
    },
    async stop() {
      await followed.opened.db.close();
      await follower.stop();
      await primary.stop();
    },
  };
  return followed;
}

export async function whilePaused(follower: PostgresServer, work: () => Promise<void>): Promise<void> {
  await ask(follower, 'select pg_wal_replay_pause()');
  await eventually('replaying is paused', async () => {
    const [row] = await ask(follower, 'select pg_get_wal_replay_pause_state() as state');
    return row!['state'] === 'paused';
  });
  try {
    await work();
  } finally {
    await ask(follower, 'select pg_wal_replay_resume()');
  }
}

export async function countAsked(
  server: PostgresServer,
  words: string,
  work: () => Promise<unknown>,
): Promise<number> {
  const { size } = statSync(server.log);
  await work();
  return readFileSync(server.log).subarray(size).toString().split(words).length - 1;
}
