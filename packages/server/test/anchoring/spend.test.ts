import { expect, test } from 'vitest';
import { createSpend } from '../../src/anchoring/index.ts';
import { openChainClient } from '../../src/chain/client.ts';
import { createFeeReader } from '../../src/chain/fees.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { drain } from '../../../../testing/anchoring/drive.ts';
import { makeEtches } from '../../../../testing/anchoring/etches.ts';
import { useAnchoring } from '../../../../testing/anchoring/ground.ts';

const ground = useAnchoring();
const db = useDatabase();

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
