import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import { NodeError } from '../../src/chain/json-rpc.ts';
import * as testing from '../../../../testing/anchoring/index.ts';

const { makeEtches, remember, withChanges } = testing;
const ground = testing.useAnchoring({ perTest: true });
const db = testing.useDatabase({ perTest: true });
beforeEach(() => void (ground.log.length = 0));
const expectAttestations = async (attestations: number) =>
  expect(await ground.audit(db)).toEqual({ attestations });
const transactions = (state = '%') => db.query(sql`select 1 from anchor_tx where state like ${state}`);

const log = () =>
  db.query<{ whole: boolean }>(sql`
    select e.index, encode(e.data, 'hex') as data, encode(h.hash, 'hex') as hash,
      b.id is null or substr(e.data, 1, 32) = b.root as whole
    from log_entry e join log_hash h on h.level = 0 and h.index = e.index left join batch b on b.id = e.batch_id
    order by e.index`);

/** Anchors etches and forgets that. @returns the log that was forgotten */
async function forget(etches: number, options?: Parameters<typeof ground.drain>[1]) {
  await makeEtches(db, etches);
  const goBack = await remember(db);
  await ground.drain(db, options);
  const forgotten = await log();
  await goBack();
  return forgotten;
}

test('finds a forgotten tree in the queue and does not attest it again', async () => {
  const attempts = () => db.query(sql`select hash from tx_attempt order by signed_at, hash`);
  const etches = await makeEtches(db, 7);
  await testing.retract(db, etches.slice(0, 3));
  const goBack = await remember(db);
  await ground.drain(db);
  const before = await attempts();
  await goBack();
  await makeEtches(db, 2);
  await ground.drain(db);
  expect((await attempts()).slice(0, before.length)).toEqual(before);
  expect(ground.log.filter(({ message }) => message.includes('adopted a transaction'))).toHaveLength(1);
  await expectAttestations(3);
});

test('finds several forgotten transactions of all schemes, and logs their trees in the same order', async () => {
  await makeEtches(db, 3);
  await ground.drain(db);
  const trees = await forget(5);
  expect(trees.every(({ whole }) => whole)).toBe(true);
  await expect(ground.audit(db)).rejects.toThrow();
  await ground.drain(db);
  await expectAttestations(2);
  expect(await log()).toEqual(trees);
  const singles = await forget(10, { rules: { scheme: 'single', maxAttestations: 9 } });
  await ground.drain(db);
  await expectAttestations(12);
  expect(await log()).toEqual(singles);
});

test('is catching up, and not failing, until its search of the chain ends', async () => {
  await forget(3);
  const real = ground.devnet.chain();
  const finalBlock = async () => ({ ...(await real.finalBlock()), number: 0 });
  const anchoring = ground.anchoring(db, { chain: withChanges(real, { finalBlock }) });
  for (let look = 0; look < 3; look++) await anchoring.tick();
  expect(await anchoring.status()).toMatchObject({ failingSince: null, failure: null, catchingUp: true });
  const lines = ground.log.filter(({ message }) => message.includes('catching up'));
  expect(lines).toMatchObject([{ level: 'info', fields: { block: expect.any(Number) } }]);
  expect(ground.log.filter(({ level }) => level === 'error')).toEqual([]);
  await ground.drain(db);
  expect(await anchoring.status()).toMatchObject({ failingSince: null, catchingUp: false });
  await expectAttestations(1);
});

test.each(['STAGED', 'SIGNED'])('finds a forgotten signed form (%s)', async (state) => {
  await makeEtches(db, 4);
  const real = ground.devnet.chain();
  const capped = async () => ({ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, capped: true });
  const unsent = ground.anchoring(db, {
    chain: withChanges(ground.unsent(), state === 'STAGED' ? { fees: capped } : {}),
  });
  for (let look = 0; look < 20 && (await transactions(state)).length === 0; look++) await unsent.tick();
  expect(await transactions(state)).toHaveLength(1);
  const goBack = await remember(db);
  await db.query(sql`delete from tx_attempt`);
  await db.query(sql`update anchor_tx set state = 'STAGED' where state = 'SIGNED'`);
  const dearer = async () => ({ ...(await real.fees()), maxFeePerGas: 40n * 10n ** 9n });
  await ground.drain(db, { chain: withChanges(real, { fees: dearer }) });
  await goBack();
  await ground.drain(db);
  await expectAttestations(1);
  expect(await transactions('LOST')).toEqual([]);
});

test('ignores other uses of the key and respects a provider’s block range', async () => {
  const real = ground.devnet.chain();
  await makeEtches(db, 5);
  const goBack = await remember(db);
  await ground.drain(db);
  await testing.spendNonce(ground.devnet, ground.devnet.relayerPrivateKey);
  await ground.devnet.mine(20);
  await goBack();
  const ranges: number[] = [];
  const narrow = withChanges(real, {
    attestedIn: async (first, last) => {
      if (last - first + 1 > 3) throw new NodeError(-32005, 'block range is too wide');
      ranges.push(last - first + 1);
      return real.attestedIn(first, last);
    },
  });
  await makeEtches(db, 1);
  await testing.drain(ground.anchoring(db, { chain: narrow }), db, 400);
  expect(ranges.length).toBeGreaterThan(5);
  expect(Math.max(...ranges)).toBeLessThanOrEqual(3);
  await expectAttestations(2);
});

test('reads logs of final blocks only', async () => {
  await forget(3);
  const real = ground.devnet.chain({ confirmations: 8, minesOnDemand: false });
  let asked = 0;
  const chain = withChanges(real, { attestedIn: async (...range) => (asked++, real.attestedIn(...range)) });
  const service = ground.anchoring(db, { chain });
  for (let look = 0; look < 5; look++) await service.tick();
  expect(asked).toBe(0);
  expect((await service.status()).catchingUp).toBe(true);
  expect(await transactions()).toEqual([]);
  await ground.devnet.mine(10);
  await testing.drain(service, db);
  expect(asked).toBe(1);
  await expectAttestations(1);
});

test('attests nothing while the logs cannot be read', async () => {
  await forget(5);
  const refusing = { attestedIn: () => Promise.reject(new NodeError(-32601, 'no eth_getLogs here')) };
  const service = ground.anchoring(db, { chain: withChanges(ground.devnet.chain(), refusing) });
  for (let look = 0; look < 8; look++) await service.tick();
  expect((await service.status()).failure).toMatch(/rejects a request for logs: no eth_getLogs here/);
  expect(await transactions()).toEqual([]);
  await ground.drain(db);
  await expectAttestations(1);
});

test('reports and counts unknown leaves of a forgotten tree and anchors the others again', async () => {
  await makeEtches(db, 4);
  const goBack = await remember(db);
  await makeEtches(db, 2);
  await ground.drain(db);
  await goBack();
  const service = await ground.drain(db);
  expect(await service.status()).toMatchObject({ unplaced: 1, pending: 0 });
  const said = ground.log.find(({ message }) => message.includes('does not have'));
  expect(said).toMatchObject({ level: 'error', fields: { unplaced: 1, doubtful: 4 } });
  await ground.audit(db, { beside: 1 });
});

test('does not attest again if only one endpoint says that a transaction failed', async () => {
  const real = ground.devnet.chain();
  await makeEtches(db, 3);
  const lying = withChanges(real, {
    receipt: async (hash) => {
      const receipt = await real.receipt(hash);
      return receipt && { ...receipt, succeeded: false, logs: [] };
    },
  });
  const deceived = ground.anchoring(db, { chain: lying });
  for (let look = 0; look < 12; look++) await deceived.tick();
  expect((await deceived.status()).failure).toMatch(/it was reverted, but not every endpoint agrees/);
  expect(await transactions('LOST')).toEqual([]);
  await ground.drain(db);
  await expectAttestations(1);
});
