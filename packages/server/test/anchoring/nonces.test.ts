import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { openChainClient } from '../../src/chain/client.ts';
import { createNonceHolder } from '../../src/chain/own-transaction.ts';
import * as testing from '../../../../testing/anchoring/index.ts';

const ground = testing.useAnchoring();
const db = testing.useDatabase();
const spend = () => testing.spendNonce(ground.devnet, ground.devnet.relayerPrivateKey);

test('finds the transaction that has a nonce', async () => {
  const chain = ground.devnet.chain();
  const rpc = openChainClient({ urls: [ground.devnet.rpcUrl] }).anchoring;
  const holder = createNonceHolder(rpc, chain.relayer);
  const first = await chain.minedNonce();
  const hashes = [];
  for (let round = 0; round < 4; round++) {
    hashes.push(await spend());
    await ground.devnet.mine(round * 2);
  }
  for (const [at, hash] of hashes.entries()) expect(await holder(first + at)).toMatchObject({ hash });
  expect(await holder(first + 4)).toBeNull();
});

test('anchors etches once, with a later nonce, if another program spent theirs', async () => {
  await testing.makeEtches(db, 3);
  await ground.drain(db, { chain: ground.robbed() });
  const states = await db.query(sql`select state from anchor_tx order by id desc limit 2`);
  expect(states).toEqual([{ state: 'FINAL' }, { state: 'LOST' }]);
  await ground.audit(db);
});

test('believes a count far above the ledger if its transaction is shown or the count stays', async () => {
  const real = ground.devnet.chain();
  await testing.makeEtches(db, 1);
  await ground.drain(db);
  const queued = async () => (await db.query(sql`select 1 from anchor_job`)).length;
  const lying = testing.withChanges(real, { minedNonce: async () => (await real.minedNonce()) + 1000 });
  await testing.makeEtches(db, 2);
  const deceived = ground.anchoring(db, { chain: lying });
  for (let look = 0; look < 5; look++) await deceived.tick();
  expect(await queued()).toBe(2);
  expect((await deceived.status()).failure).toMatch(/it does not show/);
  await ground.drain(db);
  for (const seeing of [true, false]) {
    for (let nonce = 0; nonce < 20; nonce++) await spend();
    await testing.makeEtches(db, 2);
    const blind = { nonceHolder: async () => null, rules: { farCountSeconds: 0.05 } };
    const anchoring = ground.anchoring(db, seeing ? {} : blind);
    await anchoring.tick();
    expect(await queued()).toBe(seeing ? 0 : 2);
    await testing.drain(anchoring, db);
  }
  await ground.audit(db);
});

test('makes an idle devnet mine only the blocks that transactions wait for', async () => {
  const { timestamp } = await ground.devnet.head();
  await testing.makeEtches(db, 2, { createdAt: new Date(timestamp * 1000 + 3_345).toISOString() });
  const anchoring = await ground.drain(db);
  await ground.audit(db);
  const before = (await ground.devnet.head()).number;
  for (let look = 0; look < 5; look++) await anchoring.tick();
  expect((await ground.devnet.head()).number).toBe(before);
});
