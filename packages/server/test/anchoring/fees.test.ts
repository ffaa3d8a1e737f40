import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { createFeeReader } from '../../src/chain/fees.ts';
import { openChainClient } from '../../src/chain/client.ts';
import { createSpend } from '../../src/anchoring/index.ts';
import { makeEtches, useAnchoring, useDatabase, withChanges } from '../../../../testing/anchoring/index.ts';
import { calmFees, setNextBaseFee } from '../../../../testing/chain/chain-faults.ts';

const ground = useAnchoring();
const db = useDatabase();
const { devnet } = ground;

// The first test, because the ledger must be empty.
test('computes the cost that the chain took from the relayer', async () => {
  const feesOf = createFeeReader(openChainClient({ urls: [devnet.rpcUrl] }).anchoring);
  const spend = createSpend({ db, now: () => 0, feesOf });
  expect(await spend()).toEqual({ perDay: 0n, gasPerTransaction: null, gas: 0n, wei: 0n });
  const before = await devnet.chain().balance();
  for (let tree = 0; tree < 3; tree++) {
    await makeEtches(db, 2);
    await ground.drain(db);
  }
  const took = before - (await devnet.chain().balance());
  const { perDay, gasPerTransaction, gas, wei } = await spend();
  expect(took).toBeGreaterThan(0n);
  expect(wei).toBe(took);
  expect(Number(gas) / 3).toBeCloseTo(gasPerTransaction!, 6);
  // The shortest period is an hour, so the cost counts 24 times a day.
  expect(Number(perDay) / Number(took)).toBeCloseTo(24, 6);
  expect((await spend()).wei).toBe(took);
});

test('signs the estimated gas with a single margin', async () => {
  const real = devnet.chain();
  const estimates: bigint[] = [];
  const chain = withChanges(real, {
    estimateGas: async (calldata) => {
      const enough = await real.estimateGas(calldata);
      const call = { from: real.relayer, to: real.contract, data: calldata };
      const plain = BigInt((await devnet.rpc('eth_estimateGas', call)) as string);
      expect(enough).toBe(plain + plain / 5n);
      estimates.push(enough);
      return enough;
    },
  });
  await makeEtches(db, 1);
  await ground.drain(db, { chain });
  const signed = await db.column<number>(sql`select gas from tx_attempt order by tx_id desc limit 1`);
  expect(signed.map(BigInt)).toEqual(estimates);
});

test('raises fees at the same nonce up to the cap after a tenfold base fee', async () => {
  const maxFeePerGas = 20n * 10n ** 9n;
  const anchoring = ground.anchoring(db, {
    chain: devnet.chain({ maxFeeGwei: 20, minesOnDemand: false }),
    rules: { stuckAfterSeconds: 0, maxFeePerGas },
  });
  const attempts = () =>
    db.query<{ nonce: number; fee: string }>(sql`
      select t.nonce, a.max_fee_per_gas as fee from tx_attempt a join anchor_tx t on t.id = a.tx_id
      where t.state <> 'FINAL' order by a.max_fee_per_gas`);
  await makeEtches(db, 3, { createdAt: new Date(0).toISOString() });
  await devnet.haltBlocks();
  const calm = (await devnet.head()).baseFeePerGas;
  for (let look = 0; look < 13; look++) {
    await anchoring.tick({ fold: look === 0 });
    await setNextBaseFee(devnet, BigInt((await attempts()).at(-1)!.fee) + 1n);
    await devnet.mine();
  }
  expect((await devnet.head()).baseFeePerGas).toBeGreaterThan(10n * calm);
  const made = await attempts();
  expect(new Set(made.map(({ nonce }) => nonce)).size).toBe(1);
  expect(made.length).toBeGreaterThan(2);
  const fees = made.map(({ fee }) => BigInt(fee));
  for (let at = 1; at < fees.length; at++)
    expect(fees[at]! * 10n).toBeGreaterThanOrEqual(fees[at - 1]! * 11n);
  expect(fees.at(-1)).toBeLessThanOrEqual(maxFeePerGas);
  expect(await anchoring.status()).toMatchObject({
    failure: 'MAX_FEE_GWEI: a transaction waits at the fee cap: raise it, or wait until fees fall',
    failingSince: expect.any(String),
  });
  await calmFees(devnet);
  await devnet.resumeBlocks();
  await devnet.mine(2);
  await ground.drain(db);
  await ground.audit(db);
  expect((await anchoring.status()).failingSince).toBeNull();
});
