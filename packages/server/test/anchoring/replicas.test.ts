import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/db.ts';
import { fence, giveUpLease, LeaseLost, takeLease } from '../../src/anchoring/ledger/lease.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { audit } from '../../../../testing/ledger/anchoring-audit.ts';
import { drain, expireLease } from '../../../../testing/anchoring/drive.ts';
import { makeEtches, retract } from '../../../../testing/anchoring/etches.ts';
import { wrap } from '../../../../testing/anchoring/mishaps.ts';
import { sleep, useWorld } from '../../../../testing/anchoring/world.ts';

describe('several processes on one database', () => {
  const world = useWorld();
  const db = useDatabase();
  beforeEach(() => expireLease(db));

  async function until(done: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; !(await done()); tries++) {
      if (tries > 4_500) throw new Error('it did not come to pass');
      await sleep(20);
    }
  }
  const pending = async () => (await world.anchoring(db).status()).pending;

  test('the lease: one holder, taken over when it runs out, and a fence for the one that lost it', async () => {
    await db.query(sql`delete from lease`);
    expect(await takeLease(db, 'one', 60)).toBe(true);
    expect(await takeLease(db, 'two', 60)).toBe(false);
    expect(await takeLease(db, 'one', 60)).toBe(true);
    await db.tx((tx) => fence(tx, 'one'));
    await expireLease(db);
    await expect(db.tx((tx) => fence(tx, 'one'))).rejects.toThrow(LeaseLost);
    expect(await takeLease(db, 'two', 60)).toBe(true);
    await expect(db.tx((tx) => fence(tx, 'one'))).rejects.toThrow(LeaseLost);
    await giveUpLease(db, 'one');
    expect(await takeLease(db, 'one', 60)).toBe(false);
    await giveUpLease(db, 'two');
    expect(await takeLease(db, 'one', 60)).toBe(true);
  });

  test('three of them, one after the other stopped, anchor each etch once', async () => {
    const processes = ['a', 'b', 'c'].map((holder) => {
      const stop = new AbortController();
      const anchoring = world.anchoring(db, { holder });
      const ended = anchoring.run(stop.signal, { intervalSeconds: 0.2, pollSeconds: 0.05 });
      return { stop, ended };
    });
    for (const { stop, ended } of processes) {
      const etches = await makeEtches(db, 4);
      await until(async () => (await pending()) === 0);
      await retract(db, etches.slice(0, 1));
      stop.abort();
      await ended;
    }
    await drain(world.anchoring(db), db);
    await audit(world, db, 0);
  });

  test('a leader that was stopped for a while writes nothing of what it knew', async () => {
    for (const place of ['send', 'receipt', 'attestation', 'sign'] as const) {
      const real = world.chain();
      let wake = (): void => {};
      let reached = false;
      const asleep = new Promise<void>((resolve) => (wake = resolve));
      let sleeping = false;
      const pause = async (): Promise<void> => {
        reached = true;
        sleeping = true;
        await asleep;
        sleeping = false;
      };
      // Its renewals stand still with it, as those of a stopped process do.
      const standing: Db = {
        ...db,
        engine: db.engine,
        query: async (statement) => {
          if (sleeping) await asleep;
          return db.query(statement);
        },
        tx: (work, options) => db.tx(work, options),
      };
      const first = world.anchoring(standing, {
        holder: 'first',
        rules: { leaseSeconds: 1 },
        chain: wrap(real, {
          [place]: async (argument: never) => {
            if (!reached) await pause();
            return (real[place] as (argument: never) => Promise<unknown>)(argument);
          },
        }),
      });
      await makeEtches(db, 3);
      const ticking = (async () => {
        while (!reached || sleeping) await first.tick();
        return first.tick();
      })();
      await until(async () => reached);
      const second = world.anchoring(db, { holder: 'second', rules: { leaseSeconds: 1 } });
      await until(async () => (await second.tick()).leader);
      await drain(second, db);
      await makeEtches(db, 2);
      await drain(second, db);
      wake();
      await ticking;
      await expireLease(db);
      await drain(world.anchoring(db), db);
      await audit(world, db, 0);
      await expireLease(db);
    }
  });

  test('run stops at the next step and gives the lease up', async () => {
    const stop = new AbortController();
    const running = world.anchoring(db, { holder: 'runner' }).run(stop.signal, { intervalSeconds: 60 });
    await until(async () => (await db.query(sql`select 1 from lease where holder = 'runner'`)).length === 1);
    stop.abort();
    await running;
    expect(await db.query(sql`select 1 from lease`)).toEqual([]);
  });
});
