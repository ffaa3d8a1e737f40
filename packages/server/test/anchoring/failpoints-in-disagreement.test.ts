import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import type { FailpointName } from '../../src/anchoring/failpoints.ts';
import type { Anchoring, AnchoringOptions } from '../../src/anchoring/anchoring.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { remember } from '../../../../testing/database/older.ts';
import { auditLedger } from '../../../../testing/ledger/audit-ledger.ts';
import { drain } from '../../../../testing/anchoring/drive.ts';
import { makeEtches } from '../../../../testing/anchoring/etches.ts';
import { spendNonce } from '../../../../testing/chain/chain-faults.ts';
import { useAnchoring, withChanges } from '../../../../testing/anchoring/ground.ts';

class Died extends Error {}

const DEATHS = 2;

describe('a crash while chain and ledger disagree', () => {
  const ground = useAnchoring();
  const db = useDatabase({ perTest: true });
  let from = 0;
  beforeEach(async () => {
    from = (await ground.devnet.head()).number + 1;
    await ground.devnet.outliveBlocks();
  });

  const halted = async () => (await db.query(sql`select 1 from anchor_tx where state = 'HALTED'`)).length;

  function mortal(name: FailpointName, options: Partial<Omit<AnchoringOptions, 'rules'>> = {}) {
    let deaths = 0;
    const begin = (): Anchoring =>
      ground.anchoring(db, {
        holder: 'one',
        ...options,
        failpoint: (reached) => {
          if (reached !== name || deaths >= DEATHS) return;
          deaths++;
          throw new Died();
        },
      });
    let living = begin();
    return {
      deaths: () => deaths,
      async step(work: (anchoring: Anchoring) => Promise<unknown>): Promise<void> {
        try {
          await work(living);
        } catch (error) {
          if (!(error instanceof Died)) throw error;
          living = begin();
        }
      },
    };
  }

  test.each(['before-halt', 'after-halt'] as const)(
    '%s: halts once and continues when the node shows the transaction',
    async (name) => {
      const real = ground.devnet.chain();
      let steals = false;
      const robbed = withChanges(real, {
        send: async (raw) => {
          if (steals) await spendNonce(ground.devnet, ground.devnet.relayerPrivateKey);
          steals = false;
          return real.send(raw);
        },
      });
      const process = mortal(name, { chain: robbed, nonceHolder: async () => null });
      for (let round = 0; process.deaths() < DEATHS && round < DEATHS; round++) {
        await makeEtches(db, 2);
        steals = true;
        for (let look = 0; look < 100 && (await halted()) <= round; look++)
          await process.step((anchoring) => anchoring.tick());
        expect(await halted()).toBe(round + 1);
      }
      expect(process.deaths()).toBe(DEATHS);
      await drain(ground.anchoring(db, { holder: 'one' }), db);
      await auditLedger(db, ground.devnet, { fromBlock: from });
    },
  );

  test('does not halt a transaction without the lease', async () => {
    const real = ground.devnet.chain();
    let reached = 0;
    const late = ground.anchoring(db, {
      holder: 'one',
      nonceHolder: async () => null,
      chain: withChanges(real, {
        send: async (raw) => {
          if (reached++ === 0) await spendNonce(ground.devnet, ground.devnet.relayerPrivateKey);
          return real.send(raw);
        },
      }),
      failpoint: async (name) => {
        if (name === 'before-halt')
          await db.query(sql`update lease set holder = 'two', expires_at = now() + interval '1 minute'`);
      },
    });
    await makeEtches(db, 2);
    const leads = async () => (await db.query(sql`select 1 from lease where holder = 'one'`)).length === 1;
    await late.tick();
    for (let look = 0; look < 100 && (await leads()); look++) await late.tick().catch(() => undefined);
    expect(await leads()).toBe(false);
    expect(await halted()).toBe(0);
    await drain(ground.anchoring(db, { holder: 'two' }), db);
    await auditLedger(db, ground.devnet, { fromBlock: from });
  });

  test.each(['before-adopt', 'after-adopt'] as const)(
    '%s: adopts a forgotten transaction once',
    async (name) => {
      const process = mortal(name);
      await makeEtches(db, 1);
      await drain(ground.anchoring(db, { holder: 'one' }), db);
      let attested = 1;
      for (let round = 0; round < DEATHS && process.deaths() < DEATHS; round++) {
        await makeEtches(db, 3);
        const goBack = await remember(db);
        await drain(ground.anchoring(db, { holder: 'one' }), db);
        attested++;
        await goBack();
        for (let look = 0; look < 10; look++) await process.step((anchoring) => anchoring.tick());
        await process.step((anchoring) => drain(anchoring, db));
      }
      expect(process.deaths()).toBe(DEATHS);
      await drain(ground.anchoring(db, { holder: 'one' }), db);
      expect(await auditLedger(db, ground.devnet, { fromBlock: from })).toEqual({ attestations: attested });
    },
  );

  test.each(['before-fill', 'after-fill'] as const)('%s: fills a nonce gap once', async (name) => {
    const real = ground.devnet.chain();
    let high = 3;
    const chain = withChanges(real, { minedNonce: async () => (await real.minedNonce()) + high });
    const process = mortal(name, { chain });
    for (let round = 0; process.deaths() < DEATHS && round < DEATHS; round++) {
      high = 3;
      await makeEtches(db, 2);
      await process.step((anchoring) => anchoring.tick());
      high = 0;
      for (let look = 0; look < 100; look++) await process.step((anchoring) => anchoring.tick());
    }
    expect(process.deaths()).toBe(DEATHS);
    await drain(ground.anchoring(db, { holder: 'one' }), db);
    const fills = await db.query(sql`select 1 from anchor_tx where action = 'fill' and state = 'FINAL'`);
    expect(fills.length % 3).toBe(0);
    expect(fills.length).toBeGreaterThan(0);
    await auditLedger(db, ground.devnet, { fromBlock: from });
  });
});
