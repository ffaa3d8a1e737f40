import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { checkChain, readBack } from '../../src/admin/chain/check.ts';
import { giveUpHalted, haltedTransactions, reasonToKeep } from '../../src/admin/chain/store.ts';
import { reopen } from '../../src/anchoring/ledger/moves.ts';
import type { Chain } from '../../src/chain/port.ts';
import { auditLedger } from '../../../../testing/ledger/audit-ledger.ts';
import { drain } from '../../../../testing/anchoring/drive.ts';
import { makeEtches, retract } from '../../../../testing/anchoring/etches.ts';
import { spendNonce } from '../../../../testing/chain/chain-faults.ts';
import { remember } from '../../../../testing/database/older.ts';
import { useAnchoring, withChanges } from '../../../../testing/anchoring/ground.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';

describe('svc-admin chain', () => {
  const ground = useAnchoring();
  const db = useDatabase({ perTest: true });
  let from = 0;
  beforeEach(async () => {
    from = (await ground.devnet.head()).number + 1;
    await ground.devnet.outliveBlocks();
  });
  const anchoring = (chain?: Chain, blind = false) =>
    ground.anchoring(db, {
      holder: 'one',
      ...(chain && { chain }),
      ...(blind && { nonceHolder: async () => null }),
    });
  const check = async (chain = ground.devnet.chain()) => {
    const { report, relayer } = await checkChain(db, chain, () => undefined);
    return {
      faults: report.faults.map(({ kind, what }) => `${kind}: ${what}`),
      checked: report.checked,
      relayer,
    };
  };

  test('reads everything back and reports rows that the chain contradicts', async () => {
    const etches = await makeEtches(db, 5);
    await drain(anchoring(), db);
    await retract(db, etches.slice(0, 2));
    await makeEtches(db, 3);
    await drain(ground.anchoring(db, { holder: 'one', rules: { scheme: 'single' } }), db);
    const fine = await check();
    expect(fine.faults).toEqual([]);
    expect(fine.checked).toEqual({ attestations: 5 });
    expect(fine.relayer).toMatchObject({
      transactions_left: expect.any(Number),
      attestations_without_leaves: 0,
    });

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
    await drain(anchoring(), db);
    const real = ground.devnet.chain();
    expect((await check(withChanges(real, { balance: async () => 10n ** 12n }))).faults.join()).toMatch(
      /relayer: its balance pays for 0/,
    );
    await spendNonce(ground.devnet, ground.devnet.relayerPrivateKey);
    expect((await check()).faults.join()).toMatch(/relayer: the chain counts/);
  });

  test('sends lost attestations again with the same bytes and keeps those that reappear', async () => {
    await makeEtches(db, 3);
    await drain(anchoring(), db);
    const forgetful = withChanges(ground.devnet.chain(), { attestation: async () => null });
    const gone = [];
    for await (const found of readBack(db, forgetful)) if (found.gone) gone.push(found.batch);
    expect(gone).toHaveLength(1);
    const { txId, blockHash } = gone[0]!;
    expect(await db.tx((tx) => reopen(tx, txId, `0x${'00'.repeat(32)}`))).toBe(false);
    expect(await db.tx((tx) => reopen(tx, txId, blockHash))).toBe(true);
    await drain(anchoring(), db);
    expect(await auditLedger(db, ground.devnet, { fromBlock: from })).toEqual({ attestations: 1 });
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
    let robbed = false;
    const chain = withChanges(real, {
      send: async (raw) => {
        if (!robbed) await spendNonce(ground.devnet, ground.devnet.relayerPrivateKey);
        robbed = true;
        return real.send(raw);
      },
    });
    await makeEtches(db, 3);
    const halted = await untilHalted(chain);
    expect(halted).toMatchObject({ etches: 3, sender: real.relayer });
    expect(
      await reasonToKeep(db, withChanges(real, { minedNonce: async () => halted.nonce }), halted),
    ).toMatch(/not spent/);
    expect(await reasonToKeep(db, withChanges(real, { relayer: `0x${'12'.repeat(20)}` }), halted)).toMatch(
      /another relayer key/,
    );
    expect(await reasonToKeep(db, real, halted)).toBeUndefined();
    expect(await giveUpHalted(db, halted.id)).toBe(true);
    expect(await giveUpHalted(db, halted.id)).toBe(false);
    await drain(anchoring(undefined, true), db);
    expect(await auditLedger(db, ground.devnet, { fromBlock: from })).toEqual({ attestations: 1 });
  });

  test('does not give up a nonce that our own lost transaction spent', async () => {
    const real = ground.devnet.chain();
    const unsent = withChanges(real, { send: async () => ({ outcome: 'rejected' as const }) });
    await makeEtches(db, 3);
    const first = anchoring(unsent);
    for (let look = 0; look < 20; look++) {
      await first.tick();
      if ((await db.query(sql`select 1 from tx_attempt`)).length > 0) break;
    }
    const goBack = await remember(db);
    await db.query(sql`delete from tx_attempt`);
    await db.query(sql`update anchor_tx set state = 'STAGED'`);
    const dearer = withChanges(real, {
      fees: async () => ({ ...(await real.fees()), maxFeePerGas: 40n * 10n ** 9n }),
    });
    await drain(anchoring(dearer), db);
    await goBack();
    const halted = await untilHalted(
      withChanges(real, { attestedIn: async () => [], receipt: async () => null }),
    );
    expect(await reasonToKeep(db, real, halted)).toMatch(/spent its nonce and is ours/);
    await drain(anchoring(), db);
    expect(await auditLedger(db, ground.devnet, { fromBlock: from })).toEqual({ attestations: 1 });
  });
});
