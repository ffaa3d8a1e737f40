import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { checkChain, readBack } from '../../src/admin/chain/check.ts';
import { giveUpHalted, haltedTransactions, reasonToKeep } from '../../src/admin/chain/store.ts';
import { reopen } from '../../src/anchoring/ledger/transitions.ts';
import type { Chain } from '../../src/chain/port.ts';
import * as testing from '../../../../testing/anchoring/index.ts';

const { drain, makeEtches, remember, retract, spendNonce, withChanges } = testing;
const ground = testing.useAnchoring({ perTest: true });
const db = testing.useDatabase({ perTest: true });
const anchoring = (chain?: Chain, blind = false) =>
  ground.anchoring(db, { ...(chain && { chain }), ...(blind && { nonceHolder: async () => null }) });
const expectOneAttestation = async () => expect(await ground.audit(db)).toEqual({ attestations: 1 });
const check = async (chain = ground.devnet.chain()) => {
  const { report, relayer } = await checkChain(db, chain, () => undefined);
  const faults = report.faults.map(({ kind, what }) => `${kind}: ${what}`);
  return { faults, checked: report.checked, relayer };
};

test('reads everything back and reports rows that the chain contradicts', async () => {
  const etches = await makeEtches(db, 5);
  await ground.drain(db);
  await retract(db, etches.slice(0, 2));
  await makeEtches(db, 3);
  await ground.drain(db, { rules: { scheme: 'single' } });
  const fine = await check();
  expect(fine.faults).toEqual([]);
  expect(fine.checked).toEqual({ attestations: 5 });
  const relayer = { transactions_left: expect.any(Number), attestations_without_leaves: 0 };
  expect(fine.relayer).toMatchObject(relayer);

  await db.query(
    sql`update batch set root = set_byte(root, 0, (get_byte(root, 0) + 1) % 256) where tree_size = 5`,
  );
  expect((await check()).faults).toEqual(['tree: its attestation has other data']);
  await db.query(sql`update batch set anchored_at = anchored_at - interval '1 hour' where tree_size = 2`);
  expect((await check()).faults).toContain(
    'tombstone tree: its attestation has a time that is not its block’s',
  );
  await db.query(sql`update batch set uid = ${Buffer.alloc(32, 1)} where tree_size = 5`);
  expect((await check()).faults).toContain('tree: its attestation is not on the chain');
  await db.query(
    sql`insert into anchor_job (kind, etch_id, created_at, halted) select 0, id, now(), 'x' from etch limit 1`,
  );
  expect((await check()).faults.join()).toMatch(/queue: set aside because their rows/);
});

test('reports a low balance and nonces missing in the ledger', async () => {
  await makeEtches(db, 1);
  await ground.drain(db);
  const real = ground.devnet.chain();
  expect((await check(withChanges(real, { balance: async () => 10n ** 12n }))).faults.join()).toMatch(
    /relayer: its balance pays for 0/,
  );
  await spendNonce(ground.devnet, ground.devnet.relayerPrivateKey);
  expect((await check()).faults.join()).toMatch(/relayer: the chain counts/);
});

test('sends lost attestations again with the same bytes and keeps those that reappear', async () => {
  await makeEtches(db, 3);
  await ground.drain(db);
  const forgetful = withChanges(ground.devnet.chain(), { attestation: async () => null });
  const gone = [];
  for await (const found of readBack(db, forgetful)) if (found.gone) gone.push(found.batch);
  expect(gone).toHaveLength(1);
  const { txId, blockHash } = gone[0]!;
  expect(await db.tx((tx) => reopen(tx, txId, `0x${'00'.repeat(32)}`))).toBe(false);
  expect(await db.tx((tx) => reopen(tx, txId, blockHash))).toBe(true);
  await ground.drain(db);
  await expectOneAttestation();
});

async function untilHalted(chain: Chain) {
  const service = anchoring(chain, true);
  for (let look = 0; look < 50; look++) {
    const [halted] = await haltedTransactions(db);
    if (halted) return halted;
    await service.tick();
  }
  throw new Error('nothing was set aside');
}

test('an operator gives up a transaction whose nonce another program spent, and its etches are anchored once', async () => {
  const real = ground.devnet.chain();
  await makeEtches(db, 3);
  const halted = await untilHalted(ground.robbed());
  expect(halted).toMatchObject({ etches: 3, sender: real.relayer });
  for (const [change, reason] of [
    [{ minedNonce: async () => halted.nonce }, /not spent/],
    [{ relayer: `0x${'12'.repeat(20)}` }, /another relayer key/],
  ] as const)
    expect(await reasonToKeep(db, withChanges(real, change), halted)).toMatch(reason);
  expect(await reasonToKeep(db, real, halted)).toBeUndefined();
  expect(await giveUpHalted(db, halted.id)).toBe(true);
  expect(await giveUpHalted(db, halted.id)).toBe(false);
  await drain(anchoring(undefined, true), db);
  await expectOneAttestation();
});

test('does not give up a nonce that our own lost transaction spent', async () => {
  const real = ground.devnet.chain();
  await makeEtches(db, 3);
  const first = anchoring(ground.unsent());
  const attempts = () => db.query(sql`select 1 from tx_attempt`);
  for (let look = 0; look < 20 && (await attempts()).length === 0; look++) await first.tick();
  const goBack = await remember(db);
  await db.query(sql`delete from tx_attempt`);
  await db.query(sql`update anchor_tx set state = 'STAGED'`);
  const fees = async () => ({ ...(await real.fees()), maxFeePerGas: 40n * 10n ** 9n });
  await ground.drain(db, { chain: withChanges(real, { fees }) });
  await goBack();
  const blind = { attestedIn: async () => [], receipt: async () => null };
  const halted = await untilHalted(withChanges(real, blind));
  expect(await reasonToKeep(db, real, halted)).toMatch(/spent its nonce and is ours/);
  await ground.drain(db);
  await expectOneAttestation();
});
