import sql from 'sql-template-tag';
import { createActivity } from '../../src/platform/flow/activity.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { makeEtches, retract } from '../../../../testing/anchoring/etches.ts';
import { drain } from '../../../../testing/anchoring/drive.ts';
import { useAnchoring } from '../../../../testing/anchoring/ground.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { auditLedger } from '../../../../testing/ledger/audit-ledger.ts';
import { eventually } from '../../../../testing/wait.ts';
import { devnetCall, ensureContracts, startMining } from '../../src/chain/devnet/chain-setup.ts';

describe('a backlog of more than one tree on a slow chain', () => {
  const ground = useAnchoring();
  const db = useDatabase({ perTest: true });
  let fromBlock: number;
  beforeEach(async () => {
    fromBlock = (await ground.devnet.head()).number + 1;
    await ground.devnet.haltBlocks();
  });
  afterEach(async () => {
    await ground.devnet.resumeBlocks();
  });

  const chain = () => ground.devnet.chain({ minesOnDemand: false });
  const count = async (what: 'waiting' | 'open'): Promise<number> => {
    const [row] = await db.query<{ waiting: number; open: number }>(sql`select
      (select count(*)::int from anchor_job) as waiting,
      (select count(*)::int from anchor_tx where state not in ('FINAL', 'LOST')) as open`);
    return row![what];
  };

  test('folds more after each block without waiting for the interval', async () => {
    await makeEtches(db, 12, { createdAt: new Date(0).toISOString() });
    const rules = { maxLeaves: 2, maxUnmined: 2 };
    const stop = new AbortController();
    const running = ground
      .anchoring(db, { chain: chain(), rules })
      .run(stop.signal, { intervalSeconds: 3_600, pollSeconds: 0.05, rest: createActivity(false).rest });
    try {
      await eventually(
        'everything is anchored',
        async () => {
          await ground.devnet.mine();
          return (await count('waiting')) === 0 && (await count('open')) === 0;
        },
        { everyMs: 500 },
      );
    } finally {
      stop.abort();
      await running;
    }
    expect(await auditLedger(db, ground.devnet, { fromBlock })).toEqual({ attestations: 6 });
  });

  test('keeps at most maxUnmined transactions unmined', async () => {
    const etches = await makeEtches(db, 12, { createdAt: new Date(0).toISOString() });
    await ground.devnet.resumeBlocks();
    await drain(ground.anchoring(db, { holder: 'one', rules: { scheme: 'single' } }), db);
    await ground.devnet.haltBlocks();
    await retract(db, etches);
    await makeEtches(db, 12, { createdAt: new Date(0).toISOString() });
    const rules = { maxLeaves: 2, maxRevocations: 1, maxUnmined: 4 };
    const anchoring = ground.anchoring(db, { holder: 'one', chain: chain(), rules });
    for (let look = 0; look < 3; look++) {
      await anchoring.tick();
      expect(await count('open')).toBe(4);
    }
    expect(await anchoring.tick()).toMatchObject({ held: true, more: false });
    await ground.devnet.resumeBlocks();
    await ground.devnet.mine(2);
    await drain(ground.anchoring(db, { holder: 'one' }), db);
    await auditLedger(db, ground.devnet, { fromBlock });
  });
});

describe('a replaced chain', () => {
  const ground = useAnchoring();
  const db = useDatabase({ perTest: true });

  async function loseEverything(): Promise<void> {
    await ground.devnet.rpc('anvil_reset');
    const call = devnetCall(ground.devnet.port);
    await startMining(call);
    expect(await ensureContracts(call, ground.devnet.relayerPrivateKey)).toBe(true);
  }

  // The second round starts at a nonce that the new chain has not reached.
  test.each([0, 1])('sends everything again to a devnet that lost its state (%i)', async (round) => {
    expect((await ground.devnet.chain().minedNonce()) > 0).toBe(round > 0);
    // Otherwise attestations of the other round would count as this database's own.
    await ground.devnet.outliveBlocks();
    const singles = ground.anchoring(db, { holder: 'one', rules: { scheme: 'single' } });
    const trees = ground.anchoring(db, { holder: 'one' });
    const first = await makeEtches(db, 3);
    await drain(singles, db);
    for (let tree = 0; tree < 3; tree++) {
      await makeEtches(db, 2);
      await drain(trees, db);
    }
    await retract(db, first.slice(0, 2));
    await drain(trees, db);
    const roots = await db.query(sql`select root, tree_size from batch where tree_version = 2 order by id`);
    await loseEverything();
    await makeEtches(db, 1);
    await drain(trees, db);
    await auditLedger(db, ground.devnet);
    const again = await db.query(
      sql`select root, tree_size from batch where tree_version = 2 order by id limit ${roots.length}`,
    );
    expect(again).toEqual(roots);
  });
});
