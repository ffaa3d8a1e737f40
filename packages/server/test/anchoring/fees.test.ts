import { createFeeReader } from '../../src/chain/fees.ts';
import { openChainClient } from '../../src/chain/client.ts';
import { createSpend } from '../../src/anchoring/index.ts';
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

  // The first test, because the ledger must be empty.
  test('computes the cost that the chain took from the relayer', async () => {
    const anchoring = ground.anchoring(db, {});
    const chain = ground.devnet.chain();
    const spend = createSpend({
      db,
      now: () => 0,
      feesOf: createFeeReader(openChainClient({ urls: [ground.devnet.rpcUrl] }).anchoring),
    });
    expect(await spend()).toEqual({ perDay: 0n, gasPerTransaction: null, gas: 0n, wei: 0n });

    const before = await chain.balance();
    for (let tree = 0; tree < 3; tree++) {
      await makeEtches(db, 2);
      await drain(anchoring, db);
    }
    const took = before - (await chain.balance());
    const { perDay, gasPerTransaction, gas, wei } = await spend();
    expect(took).toBeGreaterThan(0n);
    expect(wei).toBe(took);
    expect(Number(gas) / 3).toBeCloseTo(gasPerTransaction!, 6);
    // The shortest period is an hour, so the cost counts 24 times a day.
    expect(Number(perDay) / Number(took)).toBeCloseTo(24, 6);
    expect((await spend()).wei).toBe(took);
  });

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
    const signed = await db.query<{ gas: number }>(
      sql`select gas from tx_attempt order by tx_id desc limit 1`,
    );
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
});
