// Runs on both databases.
import sql from 'sql-template-tag';
import { createActivity } from '../../src/platform/flow/activity.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Db } from '../../src/db/db.ts';
import { fence, giveUpLease, LeaseLost, takeLease } from '../../src/anchoring/ledger/lease.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { auditLedger } from '../../../../testing/ledger/audit-ledger.ts';
import { drain, expireLease } from '../../../../testing/anchoring/drive.ts';
import { makeEtches, retract } from '../../../../testing/anchoring/etches.ts';
import { useAnchoring, withChanges } from '../../../../testing/anchoring/ground.ts';
import { eventually } from '../../../../testing/wait.ts';
import { once } from '../../../../testing/database/once.ts';

describe('several processes on one database', () => {
  const ground = useAnchoring();
  const db = useDatabase();
  beforeEach(() => expireLease(db));

  const pending = async () => (await ground.anchoring(db).status()).pending;

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
    const processes = ['a', 'b', 'c'].map((holder) => {
      const stop = new AbortController();
      const anchoring = ground.anchoring(db, { holder });
      const ended = anchoring.run(stop.signal, {
        intervalSeconds: 0.2,
        pollSeconds: 0.05,
        rest: createActivity(false).rest,
      });
      return { stop, ended };
    });
    for (const { stop, ended } of processes) {
      const etches = await makeEtches(db, 4);
      await eventually('all is anchored', async () => (await pending()) === 0);
      await retract(db, etches.slice(0, 1));
      stop.abort();
      await ended;
    }
    await drain(ground.anchoring(db), db);
    await auditLedger(db, ground.devnet);
  });

  once('rejects the writes of a leader that was paused', async () => {
    for (const place of ['send', 'receipt', 'attestation', 'sign'] as const) {
      const real = ground.devnet.chain();
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
      const standing: Db = {
        ...db,
        engine: db.engine,
        query: async (statement) => {
          if (sleeping) await asleep;
          return db.query(statement);
        },
        tx: (work, options) => db.tx(work, options),
      };
      const first = ground.anchoring(standing, {
        holder: 'first',
        rules: { leaseSeconds: 1 },
        chain: withChanges(real, {
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
      await eventually('it stands still there', () => reached);
      const second = ground.anchoring(db, { holder: 'second', rules: { leaseSeconds: 1 } });
      await eventually('another one leads', async () => (await second.tick()).leader);
      await drain(second, db);
      await makeEtches(db, 2);
      await drain(second, db);
      wake();
      await ticking;
      await expireLease(db);
      await drain(ground.anchoring(db), db);
      await auditLedger(db, ground.devnet);
      await expireLease(db);
    }
  });

  test('stops at the next step and releases the lease', async () => {
    const stop = new AbortController();
    const running = ground
      .anchoring(db, { holder: 'runner' })
      .run(stop.signal, { intervalSeconds: 60, rest: createActivity(false).rest });
    await eventually(
      'it leads',
      async () => (await db.query(sql`select 1 from lease where holder = 'runner'`)).length === 1,
    );
    stop.abort();
    await running;
    expect(await db.query(sql`select 1 from lease`)).toEqual([]);
  });
});
