import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { openChainClient } from '../../src/chain/client.ts';
import { createEasChain } from '../../src/chain/eas.ts';
import { createNonceHolder } from '../../src/chain/nonce-holder.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { audit } from '../../../../testing/ledger/anchoring-audit.ts';
import { drain, expireLease } from '../../../../testing/anchoring/drive.ts';
import { makeEtches } from '../../../../testing/anchoring/etches.ts';
import { mine, spendNonce, wrap } from '../../../../testing/anchoring/mishaps.ts';
import { useWorld } from '../../../../testing/anchoring/world.ts';

describe('nonces and times', () => {
  const world = useWorld();
  const db = useDatabase();
  beforeEach(() => expireLease(db));

  const states = async () =>
    (await db.query<{ state: string }>(sql`select state from anchor_tx order by id`)).map((row) => row.state);

  test('who holds a nonce is found in the chain', async () => {
    const chain = world.chain();
    const holder = createNonceHolder(
      openChainClient({ urls: [world.devnet.rpcUrl] }).anchoring,
      chain.relayer,
    );
    const first = await chain.minedNonce();
    const hashes = [];
    for (let round = 0; round < 4; round++) {
      hashes.push(await spendNonce(chain));
      await mine(world, round * 2);
    }
    for (const [at, hash] of hashes.entries()) expect(await holder(first + at)).toMatchObject({ hash });
    expect(await holder(first + 4)).toBeNull();
  });

  /** A thief takes the nonce of the next transaction, just before it is sent. */
  function robbed() {
    const real = world.chain();
    let robbed = false;
    return wrap(real, {
      send: async (raw) => {
        if (!robbed) {
          robbed = true;
          await spendNonce(real);
        }
        return real.send(raw);
      },
    });
  }

  test('a nonce that somebody else spent: the etches go with a later one, once', async () => {
    const anchoring = world.anchoring(db, { chain: robbed() });
    await makeEtches(db, 3);
    await drain(anchoring, db);
    expect((await states()).slice(-2)).toEqual(['LOST', 'SAFE']);
    await audit(world, db, 0);
  });

  test('without a way to see who spent it, the transaction is set aside and others go on', async () => {
    const blind = world.anchoring(db, { chain: robbed(), nonceHolder: async () => null, holder: 'one' });
    await makeEtches(db, 3);
    for (let look = 0; look < 50 && (await states()).at(-1) !== 'HALTED'; look++) await blind.tick();
    expect((await states()).at(-1)).toBe('HALTED');
    expect((await blind.status()).failure).toBe(
      'CHAIN_RPC_URL: a nonce is spent, but the node does not show the transaction',
    );
    await makeEtches(db, 2);
    for (let look = 0; look < 50 && (await states()).at(-1) !== 'SAFE'; look++) await blind.tick();
    expect((await states()).slice(-2)).toEqual(['HALTED', 'SAFE']);
    const [pending] = await db.query<{ count: number }>(
      sql`select count(*) as count from batch where anchored_at is null`,
    );
    expect(pending!.count).toBe(1);
    await drain(world.anchoring(db, { holder: 'one' }), db);
    await audit(world, db, 0);
  });

  test('a nonce sealed too high leaves a gap, which is filled', async () => {
    const real = world.chain();
    let high = true;
    const chain = wrap(real, {
      minedNonce: async () => (await real.minedNonce()) + (high ? 3 : 0),
    });
    const anchoring = world.anchoring(db, { chain });
    await makeEtches(db, 2);
    await anchoring.tick();
    high = false;
    await drain(anchoring, db);
    const fills = await db.query(sql`select 1 from anchor_tx where action = 'fill' and state = 'SAFE'`);
    expect(fills.length).toBe(3);
    await audit(world, db, 0);
  });

  test('a count far beyond the ledger is believed when its transaction is seen, or when it stays', async () => {
    const real = world.chain();
    await makeEtches(db, 1);
    await drain(world.anchoring(db, { holder: 'one' }), db);
    const unsealed = async () =>
      (await db.query<{ count: number }>(sql`select count(*) as count from anchor_job`))[0]!.count;

    const lying = wrap(real, { minedNonce: async () => (await real.minedNonce()) + 1000 });
    await makeEtches(db, 2);
    const deceived = world.anchoring(db, { chain: lying, holder: 'one' });
    for (let look = 0; look < 5; look++) await deceived.tick();
    expect(await unsealed()).toBe(2);
    expect((await deceived.status()).failure).toMatch(/it does not show/);
    await drain(world.anchoring(db, { holder: 'one' }), db);

    for (const seeing of [true, false]) {
      for (let nonce = 0; nonce < 20; nonce++) await spendNonce(real);
      await makeEtches(db, 2);
      const anchoring = world.anchoring(db, {
        holder: 'one',
        ...(seeing ? {} : { nonceHolder: async () => null, rules: { farCountSeconds: 0.05 } }),
      });
      await anchoring.tick();
      expect(await unsealed()).toBe(seeing ? 0 : 2);
      await drain(anchoring, db);
    }
    await audit(world, db, 0);
  });

  test('another relayer key: what was never signed moves on to it', async () => {
    const unsent = world.chain();
    const refusing = wrap(unsent, {
      fees: async () => ({ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n, capped: true }),
    });
    await makeEtches(db, 3);
    await world.anchoring(db, { chain: refusing, holder: 'one' }).tick();
    expect((await states()).at(-1)).toBe('SEALED');
    const { devnet } = world;
    const next = createEasChain({
      name: 'devnet',
      rpc: openChainClient({ urls: [devnet.rpcUrl] }).anchoring,
      relayerPrivateKey: `0x${randomBytes(32).toString('hex')}`,
      contract: devnet.contract,
      schemaUid: devnet.schemaUid,
      confirmations: 1,
      maxFeeGwei: 100,
      minesOnDemand: true,
    });
    await world.rpc('anvil_setBalance', next.relayer, `0x${(10n ** 20n).toString(16)}`);
    const anchoring = world.anchoring(db, { chain: next, holder: 'one' });
    const last = async () =>
      (
        await db.query<{ root: Buffer; uid: Buffer }>(
          sql`select root, uid from batch order by id desc limit 1`,
        )
      )[0]!;
    await drain(anchoring, db);
    const attestation = await next.attestation(`0x${(await last()).uid.toString('hex')}`);
    expect(attestation!.attester.toLowerCase()).toBe(next.relayer);
    // Out of the way of the audits by the first key.
    await db.query(sql`delete from batch_leaf`);
    await db.query(sql`delete from batch`);
    await db.query(sql`delete from etch`);
  });
});

describe('time', () => {
  const world = useWorld();
  const db = useDatabase();
  beforeEach(() => expireLease(db));
  const inSeconds = async (seconds: number) =>
    new Date((await world.chain().head()).timestamp * 1000 + seconds * 1000 + 345).toISOString();

  test('a clock five seconds ahead of the chain: sent when the chain has reached it', async () => {
    const anchoring = world.anchoring(db, { chain: world.chain({ minesOnDemand: false }) });
    const createdAt = await inSeconds(5);
    await makeEtches(db, 2, { createdAt });
    for (let look = 0; look < 3; look++) await anchoring.tick();
    const [attempts] = await db.query<{ count: number }>(sql`select count(*) as count from tx_attempt`);
    expect(attempts!.count).toBe(0);
    for (let block = 0; block < 12; block++) {
      await world.rpc('evm_setNextBlockTimestamp', (await world.chain().head()).timestamp + 1);
      await world.rpc('evm_mine');
      await anchoring.tick();
    }
    await drain(anchoring, db);
    await audit(world, db, 0);
  });

  test('an idle devnet makes the blocks that are waited for, and no others', async () => {
    const anchoring = world.anchoring(db);
    await makeEtches(db, 2, { createdAt: await inSeconds(3) });
    await drain(anchoring, db);
    await audit(world, db, 0);
    const before = await world.head();
    for (let look = 0; look < 5; look++) await anchoring.tick();
    expect(await world.head()).toBe(before);
  });

  test('a node that set its clock ahead: an attestation older than its etches does not count', async () => {
    const real = world.chain();
    let ahead = 600;
    const chain = wrap(real, {
      head: async () => {
        const head = await real.head();
        return { ...head, timestamp: head.timestamp + ahead };
      },
    });
    const anchoring = world.anchoring(db, { chain });
    await makeEtches(db, 2, { createdAt: await inSeconds(300) });
    for (let look = 0; look < 2; look++) await anchoring.tick();
    ahead = 0;
    for (let look = 0; look < 8; look++) await anchoring.tick();
    const [anchored] = await db.query<{ count: number }>(
      sql`select count(*) as count from batch where tree_size = 2 and anchored_at is not null and tx_id = (select max(id) from anchor_tx)`,
    );
    expect(anchored!.count).toBe(0);
    await world.rpc('evm_increaseTime', 301);
    await drain(anchoring, db);
    await audit(world, db, 0, { voided: 1 });
  });
});
