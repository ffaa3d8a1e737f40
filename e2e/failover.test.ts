// Runs in the soak only.
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { CommitUnknown, DatabaseUnavailable } from '../packages/server/src/db/db.ts';
import { openPostgres } from '../packages/server/src/db/postgres.ts';
import { audit } from '../testing/ledger/audit.ts';
import { Client } from '../testing/clients/client.ts';
import { newFolder } from '../testing/machine/folder.ts';
import { lastingPort } from '../testing/machine/free-port.ts';
import { Load } from '../testing/system/load.ts';
import { ask, startPair } from '../testing/database/pair.ts';
import { whenReady } from '../testing/system/service-process.ts';
import { eventually } from '../testing/wait.ts';
import { postgresWorld, useGround } from '../testing/system/world.ts';

const ground = useGround({ postgres: false });

test.concurrent('loses nothing when the primary is killed under load and the standby promoted', async () => {
  const pair = ground.keep(await startPair());
  const world = ground.keep(await postgresWorld({ chain: ground.chain, databaseUrl: pair.databaseUrl }));
  const other = await world.start({
    PORT: String(await lastingPort()),
    DATA_DIR: newFolder('data'),
    BASE_URL: world.url,
  });
  const processes = [other, await world.start()];
  let turn = 0;
  const client = new Client(() => processes[turn++ % processes.length]!.url);
  const load = new Load({ client, agents: await world.agents(4), restMs: 40 });
  load.start();
  await sleep(2_000);
  await pair.primary.kill9();
  const acknowledged = load.acknowledged;
  await sleep(1_000);
  await pair.standby.promote();
  await Promise.all(processes.map((process) => whenReady(process)));
  await eventually('etches are acknowledged again', () => load.acknowledged > acknowledged + 20);
  await load.finish();
  expect(load.unknown).toBeGreaterThan(0);
  expect(await other.stop()).toEqual({ code: 0, signal: null });
  await audit(world, load);
});

test.concurrent('leaves a primary that does not answer for the promoted standby', async () => {
  const pair = ground.keep(await startPair());
  const db = openPostgres({ url: pair.databaseUrl, poolSize: 3, statementTimeout: 2_000 });
  try {
    await db.query(sql`create table etched (id int primary key)`);
    await db.query(sql`insert into etched values (1)`);
    pair.primary.freeze();
    const waiting = Promise.allSettled(
      [2, 3, 4].map((id) => db.query(sql`insert into etched values (${id})`)),
    );
    await pair.standby.promote();
    for (const outcome of await waiting)
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'DatabaseUnavailable' } });
    await eventually('writes go on', () =>
      db
        .query(sql`insert into etched values (5)`)
        .then(() => true)
        .catch((error: unknown) => {
          expect(error).toBeInstanceOf(DatabaseUnavailable);
          return false;
        }),
    );
    expect(await db.query(sql`select id from etched order by id`)).toEqual([{ id: 1 }, { id: 5 }]);
  } finally {
    await db.close();
  }
});

test.concurrent('moves connections away from a server that no longer accepts writes', async () => {
  const pair = ground.keep(await startPair());
  const { host } = new URL(pair.standby.url);
  const swapped = pair.databaseUrl.replace(/@([^,]*),([^/]*)/, `@${host},$1`);
  const db = openPostgres({ url: swapped, poolSize: 3 });
  try {
    await db.tx((tx) => tx.query(sql`create table etched (id int primary key)`));
    const [row] = await db.query<{ standby: boolean }>(sql`select pg_is_in_recovery() as standby`);
    expect(row).toEqual({ standby: false });
  } finally {
    await db.close();
  }
});

test.concurrent('does not acknowledge a commit whose wait for the standby was cut short', async () => {
  const pair = ground.keep(await startPair());
  const db = openPostgres({ url: pair.databaseUrl });
  try {
    await db.query(sql`create table etched (id int primary key)`);
    await pair.standby.kill9();
    const commit = db.tx((tx) => tx.query(sql`insert into etched values (1)`));
    const outcome = expect(commit).rejects.toBeInstanceOf(CommitUnknown);
    await eventually('the wait is cut short', async () => {
      const cut = await ask(
        pair.primary,
        "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
      );
      return cut.length === 1;
    });
    await outcome;
  } finally {
    await db.close();
  }
});
