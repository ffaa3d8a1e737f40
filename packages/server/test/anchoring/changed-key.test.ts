import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import * as testing from '../../../../testing/anchoring/index.ts';

const { makeEtches, retract, spendNonce, withChanges } = testing;
// A retraction counts only by the attester of its commitment (docs/specification.md#merkle-rules).
const ground = testing.useAnchoring();
const db = testing.useDatabase();

async function anotherRelayer() {
  const { key } = await ground.devnet.newRelayer();
  return ground.devnet.chain({ relayerPrivateKey: key });
}

const tombstones = async () =>
  db.query<{ sender: Buffer; commitment: Buffer }>(sql`
    select t.sender, ct.sender as commitment
    from batch_leaf l join batch b on b.id = l.batch_id join anchor_tx t on t.id = b.tx_id
    join batch_leaf cl on cl.kind = 0 and cl.etch_id = l.etch_id
    join batch cb on cb.id = cl.batch_id join anchor_tx ct on ct.id = cb.tx_id
    where l.kind = 1 and b.anchored_at is not null`);

test('searches the logs once for an earlier key that another program used', async () => {
  await makeEtches(db, 1);
  await ground.drain(db);
  await spendNonce(ground.devnet, ground.devnet.relayerPrivateKey);
  const real = await anotherRelayer();
  const searched: number[] = [];
  for (let start = 0; start < 3; start++) {
    let searches = 0;
    const chain = withChanges(real, {
      attestedIn: async (...range) => (searches++, real.attestedIn(...range)),
    });
    await makeEtches(db, 1);
    await ground.drain(db, { chain });
    searched.push(searches);
  }
  expect(searched).toEqual([1, 0, 0]);
});

test.each(['tree-v2', 'single'] as const)('%s: only the old key retracts its commitments', async (scheme) => {
  const rules = { scheme };
  const before = (await tombstones()).length;
  const etches = await makeEtches(db, 2);
  await ground.drain(db, { rules });
  const next = ground.anchoring(db, { chain: await anotherRelayer(), rules });
  await retract(db, etches);
  for (let look = 0; look < 5; look++) await next.tick();
  const later = await makeEtches(db, 2);
  for (let look = 0; look < 20; look++) await next.tick();
  const anchored = await db.query(sql`
    select 1 from batch_leaf l join batch b on b.id = l.batch_id
    where l.etch_id = any(${later.map(({ id }) => id)}::uuid[]) and b.anchored_at is not null`);
  expect(anchored.length).toBe(2);
  expect((await tombstones()).length).toBe(before);
  expect((await next.status()).failure).toBe(
    'RELAYER_PRIVATE_KEY: retractions wait for the key that attested their commitments: run with that key until they are anchored',
  );
  await ground.drain(db, { rules });
  const all = await tombstones();
  expect(all.length).toBe(before + 2);
  for (const { sender, commitment } of all) expect(sender).toEqual(commitment);
});
