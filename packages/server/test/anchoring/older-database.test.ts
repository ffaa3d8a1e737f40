import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { NodeError } from '../../src/chain/json-rpc.ts';
import type { Chain } from '../../src/chain/port.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { auditLedger } from '../../../../testing/ledger/audit-ledger.ts';
import { drain } from '../../../../testing/anchoring/drive.ts';
import { makeEtches, retract } from '../../../../testing/anchoring/etches.ts';
import { spendNonce } from '../../../../testing/chain/chain-faults.ts';
import { remember } from '../../../../testing/database/older.ts';
import { useAnchoring, withChanges } from '../../../../testing/anchoring/ground.ts';

const ground = useAnchoring();
const db = useDatabase({ perTest: true });
let from = 0;
beforeEach(async () => {
  from = (await ground.devnet.head()).number + 1;
  await ground.devnet.outliveBlocks();
  ground.log.length = 0;
});

describe('a database older than its chain', () => {
  const anchoring = (chain?: Chain) => ground.anchoring(db, { holder: 'one', ...(chain && { chain }) });
  const attempts = async () =>
    db.query<{ hash: Buffer }>(sql`select hash from tx_attempt order by signed_at, hash`);
  const adopted = () => ground.log.filter(({ message }) => message.includes('adopted a transaction'));
  async function tickUntil(state: string, chain: Chain): Promise<void> {
    const service = anchoring(chain);
    for (let look = 0; look < 20; look++) {
      const rows = await db.query(sql`select 1 from anchor_tx where state = ${state} and action = 'attest'`);
      if (rows.length > 0) return;
      await service.tick();
    }
    throw new Error(`no transaction came to ${state}`);
  }

  test('finds a forgotten tree in the queue and does not attest it again', async () => {
    const etches = await makeEtches(db, 7);
    await retract(db, etches.slice(0, 3));
    const goBack = await remember(db);
    await drain(anchoring(), db);
    const before = await attempts();
    await goBack();
    await makeEtches(db, 2);
    await drain(anchoring(), db);
    expect((await attempts()).slice(0, before.length)).toEqual(before);
    expect(adopted()).toHaveLength(1);
    expect(await auditLedger(db, ground.devnet, { fromBlock: from })).toEqual({ attestations: 3 });
  });

  test('finds several forgotten transactions of all schemes', async () => {
    await makeEtches(db, 3);
    await drain(anchoring(), db);
    await makeEtches(db, 5);
    const goBack = await remember(db);
    await drain(anchoring(), db);
    await goBack();
    expect(await auditLedger(db, ground.devnet, { fromBlock: from }).catch(() => 'not anchored')).toBe(
      'not anchored',
    );
    await drain(anchoring(), db);
    expect(await auditLedger(db, ground.devnet, { fromBlock: from })).toEqual({ attestations: 2 });

    await makeEtches(db, 10);
    const later = await remember(db);
    const singles = ground.anchoring(db, { holder: 'one', rules: { scheme: 'single', maxAttestations: 9 } });
    await drain(singles, db);
    await later();
    await drain(anchoring(), db);
    expect(await auditLedger(db, ground.devnet, { fromBlock: from })).toEqual({ attestations: 12 });
  });

  test.each(['STAGED', 'SIGNED'])('finds a forgotten signed form (%s)', async (state) => {
    await makeEtches(db, 4);
    const real = ground.devnet.chain();
    const unsent = withChanges(real, {
      ...(state === 'STAGED' && {
        fees: async () => ({ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, capped: true }),
      }),
      send: async () => ({ outcome: 'rejected' as const }),
    });
    await tickUntil(state, unsent);
    const goBack = await remember(db);
    const dearer = withChanges(real, {
      fees: async () => ({ ...(await real.fees()), maxFeePerGas: 40n * 10n ** 9n }),
    });
    await db.query(sql`delete from tx_attempt`);
    await db.query(sql`update anchor_tx set state = 'STAGED' where state = 'SIGNED'`);
    await drain(anchoring(dearer), db);
    await goBack();
    await drain(anchoring(), db);
    expect(await auditLedger(db, ground.devnet, { fromBlock: from })).toEqual({ attestations: 1 });
    expect(await db.query(sql`select 1 from anchor_tx where state = 'LOST'`)).toEqual([]);
  });

  test('ignores other uses of the key and respects a provider’s block range', async () => {
    const real = ground.devnet.chain();
    await makeEtches(db, 5);
    const goBack = await remember(db);
    await drain(anchoring(), db);
    await spendNonce(ground.devnet, ground.devnet.relayerPrivateKey);
    await ground.devnet.mine(20);
    await goBack();
    const questions: number[] = [];
    const narrow = withChanges(real, {
      attestedIn: async (first, last) => {
        if (last - first + 1 > 3) throw new NodeError(-32005, 'block range is too wide');
        questions.push(last - first + 1);
        return real.attestedIn(first, last);
      },
    });
    await makeEtches(db, 1);
    await drain(anchoring(narrow), db, 400);
    expect(questions.length).toBeGreaterThan(5);
    expect(Math.max(...questions)).toBeLessThanOrEqual(3);
    expect(await auditLedger(db, ground.devnet, { fromBlock: from })).toEqual({ attestations: 2 });
  });

  test('reads logs of final blocks only', async () => {
    await makeEtches(db, 3);
    const goBack = await remember(db);
    await drain(anchoring(), db);
    await goBack();
    const real = ground.devnet.chain({ confirmations: 8, minesOnDemand: false });
    let asked = 0;
    const late = withChanges(real, {
      attestedIn: async (first, last) => (asked++, real.attestedIn(first, last)),
    });
    const service = anchoring(late);
    for (let look = 0; look < 5; look++) await service.tick();
    expect(asked).toBe(0);
    expect((await service.status()).failure).toMatch(/the chain is searched/);
    expect(await db.query(sql`select 1 from anchor_tx`)).toEqual([]);
    await ground.devnet.mine(10);
    await drain(service, db);
    expect(asked).toBe(1);
    expect(await auditLedger(db, ground.devnet, { fromBlock: from })).toEqual({ attestations: 1 });
  });

  test('attests nothing while the logs cannot be read', async () => {
    const real = ground.devnet.chain();
    await makeEtches(db, 5);
    const goBack = await remember(db);
    await drain(anchoring(), db);
    await goBack();
    const refusing = withChanges(real, {
      attestedIn: async () => {
        throw new NodeError(-32601, 'no eth_getLogs here');
      },
    });
    const service = anchoring(refusing);
    for (let look = 0; look < 8; look++) await service.tick();
    expect((await service.status()).failure).toMatch(/rejects a request for logs: no eth_getLogs here/);
    expect(await db.query(sql`select 1 from anchor_tx`)).toEqual([]);
    await drain(anchoring(), db);
    expect(await auditLedger(db, ground.devnet, { fromBlock: from })).toEqual({ attestations: 1 });
  });
});

describe('a database without some etches of its chain', () => {
  test('reports and counts unknown leaves of a forgotten tree and anchors the others again', async () => {
    await makeEtches(db, 4);
    const goBack = await remember(db);
    await makeEtches(db, 2);
    await drain(ground.anchoring(db, { holder: 'one' }), db);
    await goBack();
    const service = ground.anchoring(db, { holder: 'one' });
    await drain(service, db);
    expect(await service.status()).toMatchObject({ unplaced: 1, pending: 0 });
    const said = ground.log.find(({ message }) => message.includes('does not have'));
    expect(said).toMatchObject({ level: 'error', fields: { unplaced: 1, doubtful: 4 } });
    await auditLedger(db, ground.devnet, { beside: 1, fromBlock: from });
  });
});

describe('the log of trees of a database without some etches of its chain', () => {
  const log = () =>
    db.query<{ entry: string }>(sql`
      select e.index || ' ' || encode(e.data, 'hex') || ' ' || encode(h.hash, 'hex') as entry
      from log_entry e join log_hash h on h.level = 0 and h.index = e.index order by e.index`);

  test.each(['tree-v2', 'single'] as const)(
    'has every forgotten tree again, in the order of the chain (%s)',
    async (scheme) => {
      const service = () => ground.anchoring(db, { holder: 'one', rules: { scheme, maxAttestations: 3 } });
      await makeEtches(db, 3);
      const goBack = await remember(db);
      await makeEtches(db, 2);
      await drain(service(), db);
      await makeEtches(db, 4);
      await drain(service(), db);
      const before = await log();
      await goBack();
      await drain(service(), db);
      expect((await log()).slice(0, before.length)).toEqual(before);
      const strangers = await db.query(sql`
        select e.index from log_entry e join batch b on b.id = e.batch_id where substr(e.data, 1, 32) <> b.root`);
      expect(strangers).toEqual([]);
    },
  );
});

describe('the answer of a single endpoint', () => {
  test('does not attest again if only one endpoint says that a transaction failed', async () => {
    const real = ground.devnet.chain();
    await makeEtches(db, 3);
    const lying = withChanges(real, {
      receipt: async (hash) => {
        const receipt = await real.receipt(hash);
        return receipt && { ...receipt, succeeded: false, logs: [] };
      },
    });
    const deceived = ground.anchoring(db, { chain: lying, holder: 'one' });
    for (let look = 0; look < 12; look++) await deceived.tick();
    expect((await deceived.status()).failure).toMatch(/it was reverted, but not every endpoint agrees/);
    expect(await db.query(sql`select 1 from anchor_tx where state = 'LOST'`)).toEqual([]);
    await drain(ground.anchoring(db, { holder: 'one' }), db);
    expect(await auditLedger(db, ground.devnet, { fromBlock: from })).toEqual({ attestations: 1 });
  });
});
