import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { openChainClient } from '../../src/chain/client.ts';
import { createNonceHolder } from '../../src/chain/own-transaction.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { auditLedger } from '../../../../testing/ledger/audit-ledger.ts';
import { drain, expireLease } from '../../../../testing/anchoring/drive.ts';
import { makeEtches } from '../../../../testing/anchoring/etches.ts';
import { spendNonce } from '../../../../testing/chain/chain-faults.ts';
import { useAnchoring, withChanges } from '../../../../testing/anchoring/ground.ts';

describe('nonces and times', () => {
  const ground = useAnchoring();
  const db = useDatabase();
  beforeEach(() => expireLease(db));

  const states = async () =>
    (await db.query<{ state: string }>(sql`select state from anchor_tx order by id`)).map((row) => row.state);

  test('finds the transaction that has a nonce', async () => {
    const chain = ground.devnet.chain();
    const holder = createNonceHolder(
      openChainClient({ urls: [ground.devnet.rpcUrl] }).anchoring,
      chain.relayer,
    );
    const first = await chain.minedNonce();
    const hashes = [];
    for (let round = 0; round < 4; round++) {
      hashes.push(await spendNonce(ground.devnet, ground.devnet.relayerPrivateKey));
      await ground.devnet.mine(round * 2);
    }
    for (const [at, hash] of hashes.entries()) expect(await holder(first + at)).toMatchObject({ hash });
    expect(await holder(first + 4)).toBeNull();
  });

  function robbed() {
    const real = ground.devnet.chain();
    let robbed = false;
    return withChanges(real, {
      send: async (raw) => {
        if (!robbed) {
          robbed = true;
          await spendNonce(ground.devnet, ground.devnet.relayerPrivateKey);
        }
        return real.send(raw);
      },
    });
  }

  test('anchors etches once, with a later nonce, if another program spent theirs', async () => {
    const anchoring = ground.anchoring(db, { chain: robbed() });
    await makeEtches(db, 3);
    await drain(anchoring, db);
    expect((await states()).slice(-2)).toEqual(['LOST', 'FINAL']);
    await auditLedger(db, ground.devnet);
  });

  test('believes a count far above the ledger if its transaction is shown or the count stays', async () => {
    const real = ground.devnet.chain();
    await makeEtches(db, 1);
    await drain(ground.anchoring(db, { holder: 'one' }), db);
    const queued = async () =>
      (await db.query<{ count: number }>(sql`select count(*) as count from anchor_job`))[0]!.count;

    const lying = withChanges(real, { minedNonce: async () => (await real.minedNonce()) + 1000 });
    await makeEtches(db, 2);
    const deceived = ground.anchoring(db, { chain: lying, holder: 'one' });
    for (let look = 0; look < 5; look++) await deceived.tick();
    expect(await queued()).toBe(2);
    expect((await deceived.status()).failure).toMatch(/it does not show/);
    await drain(ground.anchoring(db, { holder: 'one' }), db);

    for (const seeing of [true, false]) {
      for (let nonce = 0; nonce < 20; nonce++)
        await spendNonce(ground.devnet, ground.devnet.relayerPrivateKey);
      await makeEtches(db, 2);
      const anchoring = ground.anchoring(db, {
        holder: 'one',
        ...(seeing ? {} : { nonceHolder: async () => null, rules: { farCountSeconds: 0.05 } }),
      });
      await anchoring.tick();
      expect(await queued()).toBe(seeing ? 0 : 2);
      await drain(anchoring, db);
    }
    await auditLedger(db, ground.devnet);
  });

  const inSeconds = async (seconds: number) =>
    new Date((await ground.devnet.chain().head()).timestamp * 1000 + seconds * 1000 + 345).toISOString();

  test('makes an idle devnet mine only the blocks that transactions wait for', async () => {
    const anchoring = ground.anchoring(db);
    await makeEtches(db, 2, { createdAt: await inSeconds(3) });
    await drain(anchoring, db);
    await auditLedger(db, ground.devnet);
    const before = (await ground.devnet.head()).number;
    for (let look = 0; look < 5; look++) await anchoring.tick();
    expect((await ground.devnet.head()).number).toBe(before);
  });
});
