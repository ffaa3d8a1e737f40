import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { findBatch, listBatches } from '../../src/anchoring/ledger/batches.ts';
import { releaseHaltedJobs } from '../../src/anchoring/ledger/queue.ts';
import * as testing from '../../../../testing/anchoring/index.ts';

const { drain, makeEtches, retract } = testing;
const ground = testing.useAnchoring({ perTest: true });
const db = testing.useDatabase({ perTest: true });

test.each(['tree-v2', 'tree-v1', 'single'] as const)('%s: commits, then retracts', async (scheme) => {
  const anchoring = ground.anchoring(db, { rules: { scheme } });
  const etches = [...(await makeEtches(db, 5)), ...(await makeEtches(db, 4, { mode: 'delayed' }))];
  await drain(anchoring, db);
  expect(await ground.audit(db)).toEqual({ attestations: scheme === 'single' ? 9 : 1 });
  await retract(db, etches.slice(0, 3));
  await drain(anchoring, db);
  expect(await ground.audit(db)).toEqual({ attestations: scheme === 'single' ? 9 : 2 });
  const status = await anchoring.status();
  expect(status).toMatchObject({
    pending: 0,
    halted: 0,
    oldestPendingSeconds: null,
    failingSince: null,
    openTransactions: 0,
    minedTransactions: 0,
    minedIn: null,
  });
  expect(status.balance).toBeGreaterThan(0n);
  expect(Date.parse(status.lastAnchoredAt!)).toBeGreaterThan(0);
});

test('retracts before the commitment is anchored', async () => {
  const etches = await makeEtches(db, 4);
  await retract(db, etches.slice(0, 2));
  await ground.drain(db);
  await ground.audit(db);
  const order = await db.column(sql`
    select (c.nonce, cb.position) < (r.nonce, rb.position)
    from batch_leaf cl join batch cb on cb.id = cl.batch_id join anchor_tx c on c.id = cb.tx_id
    join batch_leaf rl on rl.etch_id = cl.etch_id and rl.kind = 1
    join batch rb on rb.id = rl.batch_id join anchor_tx r on r.id = rb.tx_id
    where cl.kind = 0`);
  expect(order).toEqual([true, true]);
});

test('retracts in the form of the commitment after the scheme changed', async () => {
  const made = [];
  for (const scheme of ['tree-v1', 'single', 'tree-v2'] as const) {
    made.push((await makeEtches(db, 3))[0]!);
    await ground.drain(db, { rules: { scheme } });
  }
  await retract(db, made);
  await ground.drain(db, { rules: { scheme: 'single' } });
  await ground.audit(db);
  const forms = sql`select tree_version from batch where kind = 1 order by tree_version`;
  expect(await db.column(forms)).toEqual([0, 1, 2]);
});

test('sets a row aside that does not match its hash and continues', async () => {
  const [changed, cut] = await makeEtches(db, 6);
  await db.query(sql`update etch set content = 'another text' where id = ${changed!.id}`);
  await db.query(sql`update etch set hash = '\\x0102' where id = ${cut!.id}`);
  const [sealed] = await makeEtches(db, 1, { mode: 'delayed' });
  const anchoring = await ground.drain(db, {
    decryptHidden: ({ id }) => (id === sealed!.id ? { content: 'guess', salt: '00'.repeat(32) } : null),
  });
  await ground.audit(db);
  expect(await anchoring.status()).toMatchObject({ pending: 3, halted: 3 });
  const aside = ground.log.filter(({ message }) => message.includes('set aside')).map(({ fields }) => fields);
  expect(aside).toEqual(
    expect.arrayContaining([changed, cut, sealed].map((etch) => ({ etch_id: etch!.id, kind: 0 }))),
  );
  expect(JSON.stringify(ground.log)).not.toMatch(/another text|guess/);
  await db.query(sql`update etch set hash = ${cut!.hash} where id = ${cut!.id}`);
  expect(await releaseHaltedJobs(db)).toBe(3);
  await drain(anchoring, db);
  expect(await anchoring.status()).toMatchObject({ pending: 2, halted: 2 });
});

test('folds more rows than one read returns, oldest first', async () => {
  const atOnce = 1_000;
  const behind = await makeEtches(db, 2 * atOnce, { createdAt: '2026-01-02T00:00:00.000Z' });
  const oldest = await makeEtches(db, 10, { createdAt: '2026-01-01T00:00:00.000Z' });
  const faulty = [oldest[3]!, behind.toSorted((a, b) => (a.id < b.id ? -1 : 1))[atOnce]!];
  for (const { id } of faulty) await db.query(sql`update etch set content = 'another text' where id = ${id}`);
  const anchoring = await ground.drain(db, { rules: { maxLeaves: 2 * atOnce } });
  expect(await anchoring.status()).toMatchObject({ pending: 2, halted: 2 });
  const trees = await db.query<{ leaves: number; oldest: number }>(sql`
    select count(*)::int as leaves,
      count(*) filter (where etch_id = any(${oldest.map(({ id }) => id)}::uuid[]))::int as oldest
    from batch_leaf group by batch_id order by batch_id`);
  expect(trees).toEqual([
    { leaves: 2 * atOnce - 2, oldest: 9 },
    { leaves: 10, oldest: 0 },
  ]);
  expect(await ground.audit(db)).toEqual({ attestations: 2 });
});

test('puts equal leaves into different trees', async () => {
  await makeEtches(db, 3, { mode: 'delayed', hash: randomBytes(32) });
  await makeEtches(db, 2);
  await ground.drain(db, { rules: { scheme: 'tree-v1' } });
  expect(await db.column(sql`select tree_size from batch order by position`)).toEqual([3, 1, 1]);
  await ground.audit(db, { equals: true });
});

test('keeps full transactions of both kinds below the gas limit', async () => {
  const anchoring = ground.anchoring(db, { rules: { scheme: 'single' } });
  const etches = await makeEtches(db, 101);
  await drain(anchoring, db);
  await retract(db, etches);
  await drain(anchoring, db);
  await ground.audit(db);
  const sent = await db.query<{ tx_hash: Buffer; size: number }>(sql`
    select t.tx_hash, count(*) as size from anchor_tx t join batch b on b.tx_id = t.id
    group by t.id order by t.nonce`);
  expect(sent.map((tx) => tx.size)).toEqual([36, 36, 29, 100, 1]);
  for (const { tx_hash: hash } of sent) {
    const receipt = await ground.devnet.rpc('eth_getTransactionReceipt', `0x${hash.toString('hex')}`);
    expect(Number(receipt.gasUsed)).toBeLessThan(2 ** 24 / 1.3);
  }
});

test('lists batches newest first in pages and finds one by root and kind', async () => {
  const anchoring = ground.anchoring(db, { rules: { scheme: 'tree-v1' } });
  for (let round = 0; round < 3; round++) {
    await retract(db, await makeEtches(db, 1));
    await drain(anchoring, db);
  }
  const all = await listBatches(db, { limit: 100 });
  expect(all.length).toBe(6);
  const first = await listBatches(db, { limit: 4 });
  const after = { anchoredAt: first[3]!.anchored_at, id: first[3]!.id };
  expect([...first, ...(await listBatches(db, { limit: 4, after }))]).toEqual(all);
  const committed = await findBatch(db, all[0]!.root, 0);
  const retracted = await findBatch(db, all[0]!.root, 1);
  expect([committed!.kind, retracted!.kind]).toEqual([0, 1]);
  expect(committed!.leaves).toEqual([{ hash: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  expect(committed!.attestation_uid).not.toBe(retracted!.attestation_uid);
  expect(await findBatch(db, '00'.repeat(32), 0)).toBeNull();
});
