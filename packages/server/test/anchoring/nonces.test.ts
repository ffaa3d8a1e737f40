// Runs on PostgreSQL; the soak repeats it on PGlite.
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

  test('halts a transaction if the node cannot show what spent its nonce, and continues with others', async () => {
    const blind = ground.anchoring(db, { chain: robbed(), nonceHolder: async () => null, holder: 'one' });
    await makeEtches(db, 3);
    for (let look = 0; look < 50 && (await states()).at(-1) !== 'HALTED'; look++) await blind.tick();
    expect((await states()).at(-1)).toBe('HALTED');
    expect((await blind.status()).failure).toBe(
      'CHAIN_RPC_URL: a nonce is spent, but the node does not show the transaction',
    );
    await makeEtches(db, 2);
    for (let look = 0; look < 50 && (await states()).at(-1) !== 'FINAL'; look++) await blind.tick();
    expect((await states()).slice(-2)).toEqual(['HALTED', 'FINAL']);
    const [pending] = await db.query<{ count: number }>(
      sql`select count(*) as count from batch where anchored_at is null`,
    );
    expect(pending!.count).toBe(1);
    await drain(ground.anchoring(db, { holder: 'one' }), db);
    await auditLedger(db, ground.devnet);
  });

  test('fills the gap below a nonce that was staged too high', async () => {
    const real = ground.devnet.chain();
    let high = true;
    const chain = withChanges(real, {
      minedNonce: async () => (await real.minedNonce()) + (high ? 3 : 0),
    });
    const anchoring = ground.anchoring(db, { chain });
    await makeEtches(db, 2);
    await anchoring.tick();
    high = false;
    await drain(anchoring, db);
    const fills = await db.query(sql`select 1 from anchor_tx where action = 'fill' and state = 'FINAL'`);
    expect(fills.length).toBe(3);
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

  test('moves unsigned transactions to a new relayer key', async () => {
    const unsent = ground.devnet.chain();
    const refusing = withChanges(unsent, {
      fees: async () => ({ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, capped: true }),
    });
    await makeEtches(db, 3);
    await ground.anchoring(db, { chain: refusing, holder: 'one' }).tick();
    expect((await states()).at(-1)).toBe('STAGED');
    const next = ground.devnet.chain({ relayerPrivateKey: (await ground.devnet.newRelayer()).key });
    const anchoring = ground.anchoring(db, { chain: next, holder: 'one' });
    const last = async () =>
      (
        await db.query<{ root: Buffer; uid: Buffer }>(
          sql`select root, uid from batch order by id desc limit 1`,
        )
      )[0]!;
    await drain(anchoring, db);
    const attestation = await next.attestation(`0x${(await last()).uid.toString('hex')}`);
    expect(attestation!.attester.toLowerCase()).toBe(next.relayer);
    await db.query(sql`delete from batch_leaf`);
    await db.query(sql`delete from batch`);
    await db.query(sql`delete from etch`);
  });
});

describe('time', () => {
  const ground = useAnchoring();
  const db = useDatabase();
  beforeEach(() => expireLease(db));
  const inSeconds = async (seconds: number) =>
    new Date((await ground.devnet.chain().head()).timestamp * 1000 + seconds * 1000 + 345).toISOString();

  test('sends when the chain’s time reaches etches from a clock five seconds ahead', async () => {
    const anchoring = ground.anchoring(db, { chain: ground.devnet.chain({ minesOnDemand: false }) });
    const createdAt = await inSeconds(5);
    await makeEtches(db, 2, { createdAt });
    for (let look = 0; look < 3; look++) await anchoring.tick();
    const [attempts] = await db.query<{ count: number }>(sql`select count(*) as count from tx_attempt`);
    expect(attempts!.count).toBe(0);
    for (let block = 0; block < 12; block++) {
      await ground.devnet.rpc(
        'evm_setNextBlockTimestamp',
        (await ground.devnet.chain().head()).timestamp + 1,
      );
      await ground.devnet.rpc('evm_mine');
      await anchoring.tick();
    }
    await drain(anchoring, db);
    await auditLedger(db, ground.devnet);
  });

  test('makes an idle devnet mine only the blocks that transactions wait for', async () => {
    const anchoring = ground.anchoring(db);
    await makeEtches(db, 2, { createdAt: await inSeconds(3) });
    await drain(anchoring, db);
    await auditLedger(db, ground.devnet);
    const before = (await ground.devnet.head()).number;
    for (let look = 0; look < 5; look++) await anchoring.tick();
    expect((await ground.devnet.head()).number).toBe(before);
  });

  test('does not count an attestation older than its etches', async () => {
    const real = ground.devnet.chain();
    let ahead = 600;
    const chain = withChanges(real, {
      head: async () => {
        const head = await real.head();
        return { ...head, timestamp: head.timestamp + ahead };
      },
    });
    const anchoring = ground.anchoring(db, { chain });
    await makeEtches(db, 2, { createdAt: await inSeconds(300) });
    for (let look = 0; look < 2; look++) await anchoring.tick();
    ahead = 0;
    for (let look = 0; look < 8; look++) await anchoring.tick();
    const [anchored] = await db.query<{ count: number }>(
      sql`select count(*) as count from batch where tree_size = 2 and anchored_at is not null and tx_id = (select max(id) from anchor_tx)`,
    );
    expect(anchored!.count).toBe(0);
    await ground.devnet.rpc('evm_increaseTime', 301);
    await drain(anchoring, db);
    await auditLedger(db, ground.devnet, { beside: 1 });
  });
});
