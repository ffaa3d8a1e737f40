import sql from 'sql-template-tag';
import { logSize } from '../../src/proofs/log/entries.ts';
import { auditIndex, indexKeeper } from '../../../../testing/log/index-of-log.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { move, planMove } from '../../src/admin/chain/migrate.ts';
import { Report } from '../../src/admin/fsck/report.ts';
import { checkTrees } from '../../src/admin/fsck/fsck.ts';
import { createAnchoring, type Anchoring, type AnchoringOptions } from '../../src/anchoring/anchoring.ts';
import { NORMAL_PATH } from '../../src/anchoring/failpoints.ts';
import type { Rules } from '../../src/anchoring/rules.ts';
import { openChainClient } from '../../src/chain/client.ts';
import { createEasChain } from '../../src/chain/eas.ts';
import { createNonceHolder } from '../../src/chain/own-transaction.ts';
import type { Chain } from '../../src/chain/port.ts';
import * as testing from '../../../../testing/anchoring/index.ts';
import { robbed, unsent } from '../../../../testing/anchoring/ground.ts';
import { startChain, type TestChain } from '../../../../testing/chain/anvil.ts';
import { attestationsOf } from '../../../../testing/chain/attestations.ts';
import { dropBlocks } from '../../../../testing/chain/chain-faults.ts';
import type { Relayer } from '../../../../testing/chain/node.ts';
import { AT_FULL_COUNT } from '../../../../testing/rounds.ts';
import { auditLedger } from '../../../../testing/ledger/audit-ledger.ts';

const { expireLease, makeEtches, remember, retract } = testing;
let old: TestChain;
let next: TestChain;
const db = testing.useDatabase();
const keys = new Map<TestChain, Relayer>();
let goBack: () => Promise<void>;
const errors: string[] = [];
beforeAll(async () => {
  [old, next] = await Promise.all([startChain(), startChain({ chainId: 8453, history: 100 })]);
  for (const chain of [old, next]) await chain.mineAtOnce();
  keys.set(old, await old.newRelayer());
  await liveOnOld();
  goBack = await remember(db);
});
afterAll(() => Promise.all([old.stop(), next.stop()]));
beforeEach(async () => {
  await goBack();
  keys.set(next, await next.newRelayer());
  errors.length = 0;
});

const chainOn = (at: TestChain): Chain =>
  createEasChain({
    name: at === old ? 'old' : 'next',
    rpc: openChainClient({ urls: [at.rpcUrl], chainId: at.chainId }).anchoring,
    relayerPrivateKey: keys.get(at)!.key,
    contract: at.contract,
    schemaUid: at.schemaUid,
    confirmations: 1,
    maxFeeGwei: 100,
    minesOnDemand: true,
  });
type Options = Partial<Pick<AnchoringOptions, 'chain' | 'failpoint' | 'witnesses'>> & {
  rules?: Partial<Rules>;
};
const anchoring = (at: TestChain, { chain = chainOn(at), rules, ...more }: Options = {}): Anchoring =>
  createAnchoring({
    db,
    chain,
    devnet: false,
    holder: 'one',
    log: { info: () => {}, warn: () => {}, error: (_, text) => void errors.push(text) },
    nonceHolder: createNonceHolder(openChainClient({ urls: [at.rpcUrl] }).anchoring, chain.relayer),
    rules: { retrySeconds: 0, ...rules },
    ...more,
  });
const drain = (at: TestChain, options?: Options) => testing.drain(anchoring(at, options), db);
const moveToNext = () => move(db, chainOn(next), 'old');

async function liveOnOld(): Promise<void> {
  const singles = await makeEtches(db, 3);
  await drain(old, { rules: { scheme: 'single' } });
  const first = await makeEtches(db, 4);
  await retract(db, first.slice(0, 1));
  await drain(old, { rules: { scheme: 'tree-v1' } });
  const sealed = await makeEtches(db, 3, { mode: 'delayed' });
  await drain(old);
  await retract(db, [singles[1]!, first[2]!, sealed[0]!]);
  await drain(old);
}
const trees = () => db.query(sql`select id, kind, tree_version, root, tree_size from batch order by id`);
const former = () =>
  db.query(sql`select batch_id, tx_id, uid, anchored_at from former_attestation order by batch_id, tx_id`);
const anchored = () => db.query(sql`select id as batch_id, tx_id, uid, anchored_at from batch order by id`);
const ledgerOn = (at: TestChain) => ({ ...at, relayer: keys.get(at)!.address });
async function gasUsed(): Promise<number> {
  const rows = await db.query<{ tx_hash: Buffer }>(sql`
      select tx_hash from anchor_tx t where exists (
        select from batch b join former_attestation f on f.batch_id = b.id where b.tx_id = t.id)`);
  let sum = 0;
  for (const { tx_hash: hash } of rows)
    sum += Number((await next.rpc('eth_getTransactionReceipt', `0x${hash.toString('hex')}`)).gasUsed);
  return sum;
}
const fsck = async () => {
  const report = new Report();
  await checkTrees(db, report, () => {});
  return report.faults;
};

test('attests every tree and tombstone again, and keeps the first attestations', async () => {
  const [before, first] = [await trees(), await anchored()];
  await indexKeeper(db).extend(await logSize(db));
  const indexed = await auditIndex(db);
  const log = await db.query(sql`select * from log_entry order by index`);
  const stamp = { kind: 'rfc3161', proof: Buffer.from('a time stamp'), wait: null };
  await db.query(
    sql`insert into witness (batch_id, kind, proof) select min(id), 'rfc3161', ${stamp.proof}::bytea from batch`,
  );
  const plan = await planMove(db, chainOn(next), 'old');
  expect(plan).toMatchObject({
    from: { name: 'old', chain_id: 31337 },
    to: { name: 'next', chain_id: 8453 },
    trees: 5,
    etches: 10,
    tombstone_trees: 3,
    revocations: 1,
    transactions: 3,
    open_transactions: 0,
    without_evidence: expect.any(Number),
    unplaced: 0,
    withheld: 0,
  });
  expect(Number(plan.gas)).toBeGreaterThan(8 * 100_000);
  expect(await anchored()).toEqual(first);
  await moveToNext();
  expect(await fsck()).toEqual([]);
  expect(await trees()).toEqual(before);
  await makeEtches(db, 2);
  await drain(next, { witnesses: ['rfc3161', 'ots'] });
  expect(await db.query(sql`select kind, proof, wait from witness order by batch_id, kind`)).toEqual([
    stamp,
    { kind: 'ots', proof: null, wait: null },
    { kind: 'rfc3161', proof: null, wait: null },
  ]);
  const used = await gasUsed();
  expect(used).toBeLessThan(Number(plan.gas));
  expect(used).toBeGreaterThan(0.7 * Number(plan.gas));
  expect((await trees()).slice(0, before.length)).toEqual(before);
  expect(await former()).toEqual(first);
  expect(await fsck()).toEqual([]);
  expect((await db.query(sql`select * from log_entry order by index`)).slice(0, log.length)).toEqual(log);
  await indexKeeper(db).extend(await logSize(db));
  expect(await auditIndex(db)).toBe(`${indexed}ti`);
  expect(await auditLedger(db, ledgerOn(next))).toEqual({ attestations: 5 + 3 + 1 });
  const order = await db.query<{ uid: Buffer }>(
    sql`select uid from batch where kind = 0 order by id limit 5`,
  );
  const shown = (await attestationsOf(ledgerOn(next))).map(({ uid }) => uid);
  const places = order.map(({ uid }) => shown.indexOf(`0x${uid.toString('hex')}`));
  expect(places).toEqual([...places].sort((a, b) => a - b));
});

test.each(AT_FULL_COUNT ? NORMAL_PATH : NORMAL_PATH.slice(0, 1))(
  'survives two deaths at %s',
  async (name) => {
    const [before, first] = [await trees(), await anchored()];
    await moveToNext();
    const killer = testing.killAt(name);
    const options = { failpoint: killer.failpoint, rules: { maxAttestations: 3 } };
    await killer.survive(() => drain(next, options));
    expect(killer.deaths).toBe(2);
    expect(await trees()).toEqual(before);
    expect(await former()).toEqual(first);
    await auditLedger(db, ledgerOn(next));
  },
);

test('keeps a tree whose transaction lost its nonce or its block', async () => {
  const before = await trees();
  await moveToNext();
  await drain(next, { chain: robbed(chainOn(next), next, keys.get(next)!.key) });
  expect(errors.join()).toContain('a transaction is given up: its nonce was spent by another transaction');
  expect(await trees()).toEqual(before);
  await dropBlocks(next, 3);
  await drain(next);
  expect(await trees()).toEqual(before);
  await auditLedger(db, ledgerOn(next), { remade: true });
});

test('attests no tree twice after a restore of the middle of the move', async () => {
  const before = await trees();
  await moveToNext();
  const log = () => db.query(sql`select index, data, batch_id from log_entry order by index`);
  const logged = await log();
  const goBack = await remember(db);
  await drain(next, { rules: { maxAttestations: 3 } });
  await goBack();
  await drain(next);
  expect(await trees()).toEqual(before);
  expect(await log()).toEqual(logged);
  await auditLedger(db, ledgerOn(next));
});

test('folds etches again whose transaction was not final on the former chain', async () => {
  const first = await anchored();
  await makeEtches(db, 2);
  await anchoring(old, { chain: unsent(chainOn(old)) }).tick();
  await expireLease(db);
  expect(await planMove(db, chainOn(next), 'old')).toMatchObject({ trees: 5, open_transactions: 1 });
  await moveToNext();
  expect(await former()).toEqual(first);
  await drain(next);
  expect(await auditLedger(db, ledgerOn(next))).toEqual({ attestations: 5 + 3 + 1 });
});

test('rejects a running service, the same chain and a former chain', async () => {
  await testing.withDatabase(async (empty) => {
    await expect(move(empty, chainOn(next), 'old')).rejects.toThrow(/has no chain yet/);
  });
  await expect(planMove(db, chainOn(old), 'old')).rejects.toThrow(
    /is on chain 31337 already: set CHAIN_RPC_URL/,
  );
  const running = anchoring(old);
  await running.tick();
  const before = await anchored();
  await planMove(db, chainOn(next), 'old');
  await expect(moveToNext()).rejects.toThrow(/a service runs on this database/);
  expect(await anchored()).toEqual(before);
  await expireLease(db);
  await moveToNext();
  await expect(moveToNext()).rejects.toThrow(/on chain 8453 already: 9 trees wait/);
  await expect(move(db, chainOn(old), 'next')).rejects.toThrow(/was on chain 31337 \(old\) before/);
  await makeEtches(db, 1);
  expect(await running.tick()).toMatchObject({ reached: false });
  expect(errors.join()).toContain('this database belongs to chain id 8453');
  expect(await db.query(sql`select 1 from anchor_tx`)).toEqual([]);
});

test('changes nothing when it dies before its commit', async () => {
  const before = await anchored();
  const tx: typeof db.tx = (work) =>
    db.tx(async (inside) => {
      await work(inside);
      throw new Error('it died');
    });
  await expect(move({ ...db, tx }, chainOn(next), 'old')).rejects.toThrow('it died');
  expect(await anchored()).toEqual(before);
});
