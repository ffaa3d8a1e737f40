import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { devnetCall, ensureContracts, startMining } from '../../src/chain/devnet/chain-setup.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { auditLedger } from '../../../../testing/ledger/audit-ledger.ts';
import { drain } from '../../../../testing/anchoring/drive.ts';
import { makeEtches, retract } from '../../../../testing/anchoring/etches.ts';
import { useAnchoring } from '../../../../testing/anchoring/ground.ts';

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
