// Runs on both databases.
import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import { createActivity } from '../../src/platform/flow/activity.ts';
import type { Db } from '../../src/db/db.ts';
import { fence, giveUpLease, LeaseLost, takeLease } from '../../src/anchoring/ledger/lease.ts';
import * as testing from '../../../../testing/anchoring/index.ts';
import { rounds } from '../../../../testing/rounds.ts';

const { drain, eventually, expireLease, makeEtches, once } = testing;
const ground = testing.useAnchoring();
const db = testing.useDatabase();
beforeEach(() => expireLease(db));

function run(holder: string, seconds = { intervalSeconds: 0.2, pollSeconds: 0.05 }) {
  const stop = new AbortController();
  const { rest } = createActivity(false);
  return { stop, ended: ground.anchoring(db, { holder }).run(stop.signal, { ...seconds, rest }) };
}

test('gives the lease to one holder, the next one after its expiry, and rejects writes of the former one', async () => {
  await db.query(sql`delete from lease`);
  expect(await takeLease(db, 'one', 60)).toBe(true);
  expect(await takeLease(db, 'two', 60)).toBe(false);
  expect(await takeLease(db, 'one', 60)).toBe(true);
  // A pooler may have dropped the session's setting.
  const limit = await db.tx(async (tx) => {
    await tx.query(sql`set local idle_in_transaction_session_timeout = 0`);
    await fence(tx, 'one');
    return tx.query(sql`select current_setting('idle_in_transaction_session_timeout') as held`);
  });
  expect(limit).toEqual([{ held: '8s' }]);
  await expireLease(db);
  await expect(db.tx((tx) => fence(tx, 'one'))).rejects.toThrow(LeaseLost);
  expect(await takeLease(db, 'two', 60)).toBe(true);
  await expect(db.tx((tx) => fence(tx, 'one'))).rejects.toThrow(LeaseLost);
  await giveUpLease(db, 'one');
  expect(await takeLease(db, 'one', 60)).toBe(false);
  await giveUpLease(db, 'two');
  expect(await takeLease(db, 'one', 60)).toBe(true);
});

once('anchors each etch once with three processes stopped one after the other', async () => {
  const isDone = async () => (await ground.anchoring(db).status()).pending === 0;
  const processes = ['a', 'b', 'c'].map((holder) => run(holder));
  for (const { stop, ended } of processes) {
    const etches = await makeEtches(db, 4);
    await eventually('all is anchored', isDone);
    await testing.retract(db, etches.slice(0, 1));
    stop.abort();
    await ended;
  }
  await ground.drain(db);
  await ground.audit(db);
});

once('rejects the writes of a leader that was paused', async () => {
  const places = ['send', 'receipt', 'attestation', 'sign'] as const;
  for (const place of places.slice(0, rounds(1, 4))) {
    const real = ground.devnet.chain();
    let wake = (): void => {};
    let [reached, sleeping] = [false, false];
    const asleep = new Promise<void>((resolve) => (wake = resolve));
    const standing: Db = {
      ...db,
      engine: db.engine,
      query: async (statement) => {
        if (sleeping) await asleep;
        return db.query(statement);
      },
    };
    const paused = async (argument: never): Promise<unknown> => {
      if (!reached) {
        reached = sleeping = true;
        await asleep;
        sleeping = false;
      }
      return (real[place] as (argument: never) => Promise<unknown>)(argument);
    };
    const rules = { leaseSeconds: 1 };
    const chain = testing.withChanges(real, { [place]: paused });
    const first = ground.anchoring(standing, { holder: 'first', rules, chain });
    await makeEtches(db, 3);
    const ticking = (async () => {
      while (!reached || sleeping) await first.tick();
      return first.tick();
    })();
    await eventually('it stands still there', () => reached);
    const second = ground.anchoring(db, { holder: 'second', rules });
    await eventually('another one leads', async () => (await second.tick()).leader);
    await drain(second, db);
    await makeEtches(db, 2);
    await drain(second, db);
    wake();
    await ticking;
    await expireLease(db);
    await ground.drain(db);
    await ground.audit(db);
    await expireLease(db);
  }
});

test('stops at the next step and releases the lease', async () => {
  const { stop, ended } = run('runner', { intervalSeconds: 60, pollSeconds: 1 });
  const leads = async () => (await db.query(sql`select 1 from lease where holder = 'runner'`)).length === 1;
  await eventually('it leads', leads);
  stop.abort();
  await ended;
  expect(await db.query(sql`select 1 from lease`)).toEqual([]);
});
