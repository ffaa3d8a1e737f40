import sql from 'sql-template-tag';
import { afterEach, expect, test } from 'vitest';
import { createActivity } from '../../src/platform/flow/activity.ts';
import { devnetCall, ensureContracts, startMining } from '../../src/chain/devnet/chain-setup.ts';
import * as testing from '../../../../testing/anchoring/index.ts';

const { eventually, makeEtches, retract, spendNonce } = testing;
const ground = testing.useAnchoring({ perTest: true });
const db = testing.useDatabase({ perTest: true });
afterEach(() => ground.devnet.resumeBlocks());

const slow = () => ground.devnet.chain({ minesOnDemand: false });
const waiting = () => db.countRows(sql`select 1 from anchor_job`);
const open = () => db.countRows(sql`select 1 from anchor_tx where state not in ('FINAL', 'LOST')`);
const long = { createdAt: new Date(0).toISOString() };

// The second key begins at a nonce that the new chain has not reached.
test.each([0, 1])('sends everything again to a devnet that lost its state (%i)', async (round) => {
  const { devnet } = ground;
  for (let spent = 0; spent < round; spent++) await spendNonce(devnet, devnet.relayerPrivateKey);
  const first = await makeEtches(db, 3);
  await ground.drain(db, { rules: { scheme: 'single' } });
  for (let tree = 0; tree < 3; tree++) {
    await makeEtches(db, 2);
    await ground.drain(db);
  }
  await retract(db, first.slice(0, 2));
  await ground.drain(db);
  const roots = () => db.query(sql`select root, tree_size from batch where tree_version = 2 order by id`);
  const before = await roots();
  await devnet.rpc('anvil_reset');
  const call = devnetCall(devnet.port);
  await startMining(call);
  expect(await ensureContracts(call, devnet.relayerPrivateKey)).toBe(true);
  await makeEtches(db, 1);
  await ground.drain(db);
  await ground.audit(db);
  expect((await roots()).slice(0, before.length)).toEqual(before);
});

test('folds a backlog after each block without waiting for the interval', async () => {
  await ground.devnet.haltBlocks();
  await makeEtches(db, 12, long);
  const stop = new AbortController();
  const running = ground
    .anchoring(db, { chain: slow(), rules: { maxLeaves: 2, maxUnmined: 2 } })
    .run(stop.signal, { intervalSeconds: 3_600, pollSeconds: 0.05, rest: createActivity(false).rest });
  const isDone = async () => {
    await ground.devnet.mine();
    return (await waiting()) === 0 && (await open()) === 0;
  };
  try {
    await eventually('everything is anchored', isDone, { everyMs: 100 });
  } finally {
    stop.abort();
    await running;
  }
  expect(await ground.audit(db)).toEqual({ attestations: 6 });
});

test('keeps at most maxUnmined transactions unmined', async () => {
  const etches = await makeEtches(db, 12, long);
  await ground.drain(db, { rules: { scheme: 'single' } });
  await ground.devnet.haltBlocks();
  await retract(db, etches);
  await makeEtches(db, 12, long);
  const rules = { maxLeaves: 2, maxRevocations: 1, maxUnmined: 4 };
  const anchoring = ground.anchoring(db, { chain: slow(), rules });
  for (let look = 0; look < 3; look++) {
    await anchoring.tick();
    expect(await open()).toBe(4);
  }
  expect(await anchoring.tick()).toMatchObject({ held: true, more: false });
  await ground.devnet.resumeBlocks();
  await ground.devnet.mine(2);
  await ground.drain(db);
  await ground.audit(db);
});
