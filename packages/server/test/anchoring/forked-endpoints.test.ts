// Runs on PostgreSQL; the soak repeats it on PGlite.
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { startRpcGate } from '../../../../testing/chain/rpc-gate.ts';
import { auditLedger } from '../../../../testing/ledger/audit-ledger.ts';
import { drain } from '../../../../testing/anchoring/drive.ts';
import { makeEtches } from '../../../../testing/anchoring/etches.ts';
import { useAnchoring } from '../../../../testing/anchoring/ground.ts';

describe('endpoints on different forks', () => {
  const ground = useAnchoring();
  const db = useDatabase();

  test('anchors nothing in a block that another endpoint contradicts', async () => {
    const { devnet } = ground;
    const second = await startRpcGate(devnet.rpcUrl, {
      rule: async ({ method, params }, pass) => {
        const block = method === 'eth_getBlockByNumber' ? await pass(method, params) : null;
        return block === null ? undefined : { result: { ...block, hash: `0x${'ab'.repeat(32)}` } };
      },
    });
    try {
      const anchoring = ground.anchoring(db, { chain: devnet.chain({ urls: [devnet.rpcUrl, second.url] }) });
      await makeEtches(db, 2);
      for (let look = 0; look < 6; look++) await anchoring.tick();
      expect(await db.query(sql`select 1 from batch where anchored_at is not null`)).toEqual([]);
      expect((await anchoring.status()).failure).toMatch(/another block replaced its block/);
      second.rule = undefined;
      await drain(anchoring, db);
      await auditLedger(db, devnet);
    } finally {
      await second.stop();
    }
  });
});
