import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import sql from 'sql-template-tag';
import { describe, expect, test } from 'vitest';
import { openChainClient } from '../../src/chain/client.ts';
import { createEasChain } from '../../src/chain/eas.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { audit } from '../../../../testing/ledger/anchoring-audit.ts';
import { drain } from '../../../../testing/anchoring/drive.ts';
import { makeEtches } from '../../../../testing/anchoring/etches.ts';
import { useWorld } from '../../../../testing/anchoring/world.ts';

describe('endpoints on different forks', () => {
  const world = useWorld();
  const db = useDatabase();

  test('nothing is anchored in a block of which another endpoint knows another one', async () => {
    let forked = true;
    const answer = async (request: IncomingMessage): Promise<object> => {
      const { method, params } = (await json(request)) as { method: string; params: unknown[] };
      const result = (await world.rpc(method, ...params)) as { hash?: string } | null;
      if (forked && method === 'eth_getBlockByNumber' && result) result.hash = `0x${'ab'.repeat(32)}`;
      return { result };
    };
    const second = createServer((request, response) => {
      void answer(request)
        .catch((error: Error) => ({ error: { code: -32000, message: error.message } }))
        .then((said) => response.end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...said })));
    });
    await new Promise<void>((resolve) => second.listen(0, '127.0.0.1', resolve));
    try {
      const { devnet } = world;
      const chain = createEasChain({
        name: 'devnet',
        rpc: openChainClient({
          urls: [devnet.rpcUrl, `http://127.0.0.1:${(second.address() as AddressInfo).port}`],
        }).anchoring,
        relayerPrivateKey: devnet.relayerPrivateKey,
        contract: devnet.contract,
        schemaUid: devnet.schemaUid,
        confirmations: 1,
        maxFeeGwei: 100,
        minesOnDemand: true,
      });
      const anchoring = world.anchoring(db, { chain });
      await makeEtches(db, 2);
      for (let look = 0; look < 6; look++) await anchoring.tick();
      expect(await db.query(sql`select 1 from batch where anchored_at is not null`)).toEqual([]);
      expect((await anchoring.status()).failure).toMatch(/another block is in the place of its block/);
      forked = false;
      await drain(anchoring, db);
      await audit(world, db, 0);
    } finally {
      second.close();
    }
  });
});
