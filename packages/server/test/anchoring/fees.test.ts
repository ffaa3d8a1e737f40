// Runs on PostgreSQL; the soak repeats it on PGlite.
import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { auditLedger } from '../../../../testing/ledger/audit-ledger.ts';
import { drain, expireLease, tickUntilSent } from '../../../../testing/anchoring/drive.ts';
import { makeEtches } from '../../../../testing/anchoring/etches.ts';
import { calmFees, setNextBaseFee } from '../../../../testing/chain/chain-faults.ts';
import { useAnchoring, withChanges } from '../../../../testing/anchoring/ground.ts';

const GWEI = 10n ** 9n;

describe('fees', () => {
  const ground = useAnchoring();
  const db = useDatabase();
  beforeEach(async () => {
    await ground.devnet.resumeBlocks();
    await calmFees(ground.devnet);
    await expireLease(db);
  });

  const attempts = () =>
    db.query<{ nonce: number; fee: string }>(sql`
      select t.nonce, a.max_fee_per_gas as fee from tx_attempt a join anchor_tx t on t.id = a.tx_id
      where t.state <> 'FINAL' order by a.max_fee_per_gas`);

  /** The service sends nothing before the chain's time has reached the etches. */
  const comeToNow = async (): Promise<void> => {
    const now = Date.now();
    do await ground.devnet.mine();
    while ((await ground.devnet.head()).timestamp * 1000 <= now);
  };

  test('signs the estimated gas with a single margin', async () => {
    const real = ground.devnet.chain();
    const estimates: bigint[] = [];
    const chain = withChanges(real, {
      estimateGas: async (calldata) => {
        const enough = await real.estimateGas(calldata);
        const call = { from: real.relayer, to: real.contract, data: calldata };
        const plain = BigInt((await ground.devnet.rpc('eth_estimateGas', call)) as string);
        expect(enough).toBe(plain + plain / 5n);
        estimates.push(enough);
        return enough;
      },
    });
    await makeEtches(db, 1);
    await drain(ground.anchoring(db, { chain }), db);
    const signed = await db.query<{ gas: number }>(sql`select gas from tx_attempt`);
    expect(signed.map(({ gas }) => BigInt(gas))).toEqual(estimates);
  });

  test('raises fees at the same nonce up to the cap after a tenfold base fee', async () => {
    const cap = 20n * GWEI;
    const real = ground.devnet.chain({ maxFeeGwei: 20, minesOnDemand: false });
    const anchoring = ground.anchoring(db, {
      chain: real,
      rules: { stuckAfterSeconds: 0, maxFeePerGas: cap },
    });
    await makeEtches(db, 3);
    await comeToNow();
    await ground.devnet.haltBlocks();
    await tickUntilSent(anchoring, db);
    const [first] = await attempts();
    expect(BigInt(first!.fee)).toBeGreaterThan(0n);
    const calm = (await ground.devnet.head()).baseFeePerGas;
    for (let look = 0; look < 12; look++) {
      await setNextBaseFee(ground.devnet, BigInt((await attempts()).at(-1)!.fee) + 1n);
      await ground.devnet.mine();
      await anchoring.tick({ fold: false });
    }
    expect((await ground.devnet.head()).baseFeePerGas).toBeGreaterThan(10n * calm);
    const made = await attempts();
    expect(new Set(made.map((attempt) => attempt.nonce)).size).toBe(1);
    expect(made.length).toBeGreaterThan(2);
    for (let at = 1; at < made.length; at++) {
      const [before, after] = [BigInt(made[at - 1]!.fee), BigInt(made[at]!.fee)];
      expect(after * 10n).toBeGreaterThanOrEqual(before * 11n);
    }
    expect(BigInt(made.at(-1)!.fee)).toBeLessThanOrEqual(cap);
    const status = await anchoring.status();
    expect(status.failure).toBe(
      'MAX_FEE_GWEI: a transaction waits at the fee cap: raise it, or wait until fees fall',
    );
    expect(status.failingSince).not.toBeNull();
    await calmFees(ground.devnet);
    await ground.devnet.resumeBlocks();
    await ground.devnet.mine(2);
    await drain(anchoring, db);
    await auditLedger(db, ground.devnet);
    expect((await anchoring.status()).failingSince).toBeNull();
  });

  test('signs nothing above the cap, reports it, and continues later', async () => {
    const anchoring = ground.anchoring(db, {
      chain: ground.devnet.chain({ maxFeeGwei: 20, minesOnDemand: false }),
      rules: { maxFeePerGas: 20n * GWEI },
    });
    await makeEtches(db, 2);
    await setNextBaseFee(ground.devnet, 50n * GWEI);
    await ground.devnet.mine();
    for (let look = 0; look < 3; look++) await anchoring.tick();
    expect(await attempts()).toEqual([]);
    expect((await anchoring.status()).failure).toBe(
      'MAX_FEE_GWEI: the chain requires more than the fee cap: raise it, or wait until fees fall',
    );
    await makeEtches(db, 2);
    await calmFees(ground.devnet);
    await drain(anchoring, db);
    await auditLedger(db, ground.devnet);
  });

  test('raises no fee on a halted chain and later anchors the backlog in few transactions', async () => {
    const chain = ground.devnet.chain({ minesOnDemand: false });
    const anchoring = ground.anchoring(db, { chain, rules: { stuckAfterSeconds: 30, maxUnmined: 3 } });
    // Without new blocks, no block is newer than the etches, even on a slow machine.
    const createdAt = new Date().toISOString();
    await makeEtches(db, 1, { createdAt });
    await comeToNow();
    await ground.devnet.haltBlocks();
    for (let look = 0; look < 10; look++) {
      await anchoring.tick();
      await makeEtches(db, 5, { createdAt });
    }
    const waiting = await attempts();
    expect(waiting.length).toBe(new Set(waiting.map((attempt) => attempt.nonce)).size);
    const [count] = await db.query<{ open: number }>(
      sql`select count(*) as open from anchor_tx where state not in ('FINAL', 'LOST')`,
    );
    expect(count!.open).toBe(3);
    expect((await anchoring.status()).pending).toBe(51);
    await ground.devnet.resumeBlocks();
    await ground.devnet.mine(2);
    await drain(ground.anchoring(db, { holder: 'next' }), db).catch(async () => {
      await expireLease(db);
      await drain(ground.anchoring(db, { holder: 'next' }), db);
    });
    await auditLedger(db, ground.devnet);
  });

  test('raises fees if a node answers "underpriced" and has no form', async () => {
    const real = ground.devnet.chain();
    const refused: string[] = [];
    const chain = withChanges(real, {
      send: async (raw) => {
        if (refused.length > 0 && refused[0] !== raw) return real.send(raw);
        refused.push(raw);
        return { outcome: 'underpriced' };
      },
      knows: async () => false,
    });
    const anchoring = ground.anchoring(db, { chain, rules: { stuckAfterSeconds: 3600 } });
    await makeEtches(db, 2);
    await drain(anchoring, db);
    expect(refused.length).toBeGreaterThanOrEqual(3);
    await auditLedger(db, ground.devnet);
  });

  test('reports a node’s rejection and tries nothing else', async () => {
    const real = ground.devnet.chain();
    let refuse = true;
    const chain = withChanges(real, {
      send: async (raw) =>
        refuse ? { outcome: 'rejected', message: 'insufficient funds for gas' } : real.send(raw),
    });
    const anchoring = ground.anchoring(db, { chain });
    await makeEtches(db, 2);
    for (let look = 0; look < 4; look++) await anchoring.tick();
    expect((await attempts()).length).toBe(1);
    expect((await anchoring.status()).failure).toBe(
      'RELAYER_PRIVATE_KEY: the node rejects a transaction of this key: insufficient funds for gas',
    );
    refuse = false;
    await drain(anchoring, db);
    await auditLedger(db, ground.devnet);
  });
});
