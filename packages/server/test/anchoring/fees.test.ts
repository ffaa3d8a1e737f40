import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { audit } from '../../../../testing/ledger/anchoring-audit.ts';
import { drain, expireLease } from '../../../../testing/anchoring/drive.ts';
import { makeEtches } from '../../../../testing/anchoring/etches.ts';
import { baseFee, calmFees, mine, setNextBaseFee, wrap } from '../../../../testing/anchoring/mishaps.ts';
import { useWorld } from '../../../../testing/anchoring/world.ts';

const GWEI = 10n ** 9n;

describe('fees', () => {
  const world = useWorld();
  const db = useDatabase();
  beforeEach(async () => {
    await world.rpc('evm_setAutomine', true);
    await calmFees(world);
    await expireLease(db);
  });

  const attempts = () =>
    db.query<{ nonce: number; fee: string }>(sql`
      select t.nonce, a.max_fee_per_gas as fee from tx_attempt a join anchor_tx t on t.id = a.tx_id
      where t.state <> 'SAFE' order by a.max_fee_per_gas`);

  test('a base fee ten times as high: raised at the same nonce, at most to the cap', async () => {
    const cap = 20n * GWEI;
    const real = world.chain({ maxFeeGwei: 20, minesOnDemand: false });
    const anchoring = world.anchoring(db, {
      chain: real,
      rules: { stuckAfterSeconds: 0, maxFeePerGas: cap },
    });
    await makeEtches(db, 3);
    await mine(world);
    await world.rpc('evm_setAutomine', false);
    await anchoring.tick();
    const [first] = await attempts();
    expect(BigInt(first!.fee)).toBeGreaterThan(0n);
    const calm = await baseFee(world);
    for (let look = 0; look < 12; look++) {
      // Always a little above what is offered, in the end ten times and more what it was.
      await setNextBaseFee(world, BigInt((await attempts()).at(-1)!.fee) + 1n);
      await mine(world);
      await anchoring.tick({ seal: false });
    }
    expect(await baseFee(world)).toBeGreaterThan(10n * calm);
    const made = await attempts();
    expect(new Set(made.map((attempt) => attempt.nonce)).size).toBe(1);
    expect(made.length).toBeGreaterThan(2);
    for (let at = 1; at < made.length; at++) {
      const [before, after] = [BigInt(made[at - 1]!.fee), BigInt(made[at]!.fee)];
      expect(after * 10n).toBeGreaterThanOrEqual(before * 11n);
    }
    expect(BigInt(made.at(-1)!.fee)).toBeLessThanOrEqual(cap);
    const status = await anchoring.status();
    expect(status.failure).toBe('MAX_FEE_GWEI: a transaction waits at the fee cap');
    expect(status.failingSince).not.toBeNull();
    await calmFees(world);
    await world.rpc('evm_setAutomine', true);
    await mine(world, 2);
    await drain(anchoring, db);
    await audit(world, db, 0);
    expect((await anchoring.status()).failingSince).toBeNull();
  });

  test('a base fee above the cap: nothing is signed, the reason is said, and it goes on later', async () => {
    const anchoring = world.anchoring(db, {
      chain: world.chain({ maxFeeGwei: 20, minesOnDemand: false }),
      rules: { maxFeePerGas: 20n * GWEI },
    });
    await makeEtches(db, 2);
    await setNextBaseFee(world, 50n * GWEI);
    await mine(world);
    for (let look = 0; look < 3; look++) await anchoring.tick();
    expect(await attempts()).toEqual([]);
    expect((await anchoring.status()).failure).toBe('MAX_FEE_GWEI: the chain asks for more than the fee cap');
    await makeEtches(db, 2);
    await calmFees(world);
    await drain(anchoring, db);
    await audit(world, db, 0);
  });

  test('a halted chain: no fee is raised, writes wait, and few transactions carry the backlog', async () => {
    const chain = world.chain({ minesOnDemand: false });
    const anchoring = world.anchoring(db, { chain, rules: { stuckAfterSeconds: 30, maxUnmined: 3 } });
    await makeEtches(db, 1);
    await mine(world);
    await world.rpc('evm_setAutomine', false);
    for (let look = 0; look < 10; look++) {
      await anchoring.tick();
      await makeEtches(db, 5);
    }
    const waiting = await attempts();
    expect(waiting.length).toBe(new Set(waiting.map((attempt) => attempt.nonce)).size);
    const [count] = await db.query<{ open: number }>(
      sql`select count(*) as open from anchor_tx where state not in ('SAFE', 'LOST')`,
    );
    expect(count!.open).toBe(3);
    expect((await anchoring.status()).pending).toBe(51);
    await world.rpc('evm_setAutomine', true);
    await mine(world, 2);
    await drain(world.anchoring(db, { holder: 'next' }), db).catch(async () => {
      await expireLease(db);
      await drain(world.anchoring(db, { holder: 'next' }), db);
    });
    await audit(world, db, 0);
  });

  test('a node that answers "underpriced" and holds nothing: the fees are raised', async () => {
    const real = world.chain();
    const refused: string[] = [];
    const chain = wrap(real, {
      send: async (raw) => {
        if (refused.length > 0 && refused[0] !== raw) return real.send(raw);
        refused.push(raw);
        return { outcome: 'underpriced' };
      },
      knows: async () => false,
    });
    const anchoring = world.anchoring(db, { chain, rules: { stuckAfterSeconds: 3600 } });
    await makeEtches(db, 2);
    await drain(anchoring, db);
    expect(refused.length).toBeGreaterThanOrEqual(3);
    await audit(world, db, 0);
  });

  test('a node that refuses: the reason is said, and nothing else is tried', async () => {
    const real = world.chain();
    let refuse = true;
    const chain = wrap(real, {
      send: async (raw) =>
        refuse ? { outcome: 'rejected', message: 'insufficient funds for gas' } : real.send(raw),
    });
    const anchoring = world.anchoring(db, { chain });
    await makeEtches(db, 2);
    for (let look = 0; look < 4; look++) await anchoring.tick();
    expect((await attempts()).length).toBe(1);
    expect((await anchoring.status()).failure).toBe(
      'RELAYER_PRIVATE_KEY: the node refuses a transaction of this key: insufficient funds for gas',
    );
    refuse = false;
    await drain(anchoring, db);
    await audit(world, db, 0);
  });
});
