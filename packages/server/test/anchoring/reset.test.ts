import sql from 'sql-template-tag';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { AnotherChain, ensureSameChain } from '../../src/anchoring/ledger/chain-binding.ts';
import { devnetCall, ensureContracts, startMining } from '../../src/chain/devnet/chain-setup.ts';
import { testDatabase, type TestDatabase } from '../../../../testing/database/test-database.ts';
import { audit } from '../../../../testing/ledger/anchoring-audit.ts';
import { drain } from '../../../../testing/anchoring/drive.ts';
import { makeEtches, retract } from '../../../../testing/anchoring/etches.ts';
import { wrap } from '../../../../testing/anchoring/mishaps.ts';
import { useWorld } from '../../../../testing/anchoring/world.ts';

describe('a chain that is not the one it was', () => {
  const world = useWorld();
  let db: TestDatabase;
  beforeEach(async () => {
    db = await testDatabase();
  });
  afterEach(() => db.close());

  async function loseEverything(): Promise<void> {
    await world.rpc('anvil_reset');
    const call = devnetCall(world.devnet.port);
    await startMining(call);
    expect(await ensureContracts(call, world.devnet.relayerPrivateKey)).toBe(true);
  }

  // The second round begins at a nonce that the new chain has not reached: the gap is filled.
  test.each([0, 1])('a devnet that lost all of its state is caught up (%i)', async (round) => {
    expect((await world.chain().minedNonce()) > 0).toBe(round > 0);
    // Else what the other round attested is taken for this database's own.
    await world.outliveBlocks();
    const singles = world.anchoring(db, { holder: 'one', rules: { scheme: 'single' } });
    const trees = world.anchoring(db, { holder: 'one' });
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
    await audit(world, db, 0);
    const again = await db.query(
      sql`select root, tree_size from batch where tree_version = 2 order by id limit ${roots.length}`,
    );
    expect(again).toEqual(roots);
  });

  test('another chain, contract, schema or first block refuses', async () => {
    const chain = world.chain();
    const real = await chain.identity();
    expect(await ensureSameChain(db, chain, { devnet: false })).toBe('new');
    expect(await ensureSameChain(db, chain, { devnet: false })).toBe('same');
    const other = `0x${'12'.repeat(32)}` as const;
    const refused = [
      wrap(chain, { identity: async () => ({ ...real, chainId: 1 }) }),
      wrap(chain, { identity: async () => ({ ...real, genesisHash: other }) }),
      wrap(chain, { contract: `0x${'34'.repeat(20)}` }),
      wrap(chain, { schemaUid: other }),
    ];
    for (const wrong of refused) {
      await expect(ensureSameChain(db, wrong, { devnet: false })).rejects.toThrow(AnotherChain);
    }
    expect(await ensureSameChain(db, refused[1]!, { devnet: true })).toBe('reset');
    await expect(ensureSameChain(db, refused[0]!, { devnet: true })).rejects.toThrow(/chain id 31337.*has 1/);
  });
});
