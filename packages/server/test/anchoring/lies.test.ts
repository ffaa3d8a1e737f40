import { startRpcGate } from '../../../../testing/chain/rpc-gate.ts';
import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { ChainUnavailable, type Chain, type Hex, type Receipt } from '../../src/chain/port.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { auditLedger } from '../../../../testing/ledger/audit-ledger.ts';
import { drain } from '../../../../testing/anchoring/drive.ts';
import { makeEtches, retract } from '../../../../testing/anchoring/etches.ts';
import { useAnchoring, withChanges } from '../../../../testing/anchoring/ground.ts';

const OTHER: Hex = `0x${'ab'.repeat(32)}`;
const down = async (): Promise<never> => {
  throw new ChainUnavailable('down at https://example.org/secret-key');
};

/** Each lie prevents all anchoring while it lasts. */
const LIES: Record<string, (real: Chain) => Partial<Chain>> = {
  'no receipts': () => ({ receipt: async () => null }),
  'no receipts and no transactions': () => ({ receipt: async () => null, knows: async () => false }),
  'a receipt in another block': (real) => receipts(real, (receipt) => ({ ...receipt, blockHash: OTHER })),
  'a receipt of another transaction': (real) => receipts(real, (receipt) => ({ ...receipt, txHash: OTHER })),
  'forged uids': (real) =>
    receipts(real, (receipt) => ({
      ...receipt,
      logs: receipt.logs.map((entry) => ({ ...entry, uid: OTHER })),
    })),
  'logs in another order': (real) =>
    receipts(real, (receipt) => ({ ...receipt, logs: [...receipt.logs].reverse() })),
  'one log twice': (real) =>
    receipts(real, (receipt) => ({ ...receipt, logs: receipt.logs.map(() => receipt.logs[0]!) })),
  'no logs': (real) => receipts(real, (receipt) => ({ ...receipt, logs: [] })),
  'a log too many': (real) =>
    receipts(real, (receipt) => ({ ...receipt, logs: [...receipt.logs, { event: 'Attested', uid: OTHER }] })),
  'no attestations': () => ({ attestation: async () => null }),
  'other data': (real) => attestations(real, { data: OTHER }),
  'another chain id': (real) => ({ identity: async () => ({ ...(await real.identity()), chainId: 1 }) }),
  'a final block that never comes': (real) => ({ finalBlock: async () => (await real.blockByNumber(0))! }),
  'a final block above the head': (real) => ({
    finalBlock: async () => ({ ...(await real.head()), number: 1_000_000 }),
  }),
  'blocks unknown': () => ({ blockByNumber: async () => null }),
  'everything down': () =>
    Object.fromEntries(
      [
        'identity',
        'head',
        'finalBlock',
        'blockByNumber',
        'minedNonce',
        'fees',
        'send',
        'receipt',
        'attestation',
      ].map((method) => [method, down]),
    ),
};

function receipts(real: Chain, change: (receipt: Receipt) => Receipt): Partial<Chain> {
  return {
    receipt: async (hash) => {
      const receipt = await real.receipt(hash);
      return receipt && change(receipt);
    },
  };
}

function attestations(real: Chain, change: object): Partial<Chain> {
  return {
    attestation: async (uid) => {
      const attestation = await real.attestation(uid);
      return attestation && { ...attestation, ...change };
    },
  };
}

describe('a node that lies', () => {
  const ground = useAnchoring();
  const db = useDatabase();
  const from = 0;
  let before = 0;
  beforeEach(async () => {
    await db.query(sql`delete from lease`);
    before = await allAnchored();
  });

  const allAnchored = async () =>
    (
      await db.query<{ count: number }>(
        sql`select count(*) as count from batch where anchored_at is not null`,
      )
    )[0]!.count;
  const countAnchored = async () => (await allAnchored()) - before;

  function changeable(real: Chain): { chain: Chain; lie: Partial<Chain> } {
    const state: { chain: Chain; lie: Partial<Chain> } = { chain: real, lie: {} };
    const told = (property: string) => (state.lie as Record<string, unknown>)[property];
    state.chain = new Proxy(real, {
      get: (target, property: string) =>
        told(property) ?? (target as unknown as Record<string, unknown>)[property],
    });
    return state;
  }

  test.each(Object.keys(LIES))('%s: anchors nothing wrongly and nothing twice', async (name) => {
    const node = changeable(ground.devnet.chain());
    const anchoring = ground.anchoring(db, { chain: node.chain });
    await anchoring.tick();
    node.lie = LIES[name]!(ground.devnet.chain());
    const etches = await makeEtches(db, 4);
    await retract(db, etches.slice(0, 2));
    for (let look = 0; look < 7; look++) await anchoring.tick();
    expect(await countAnchored()).toBe(0);
    await makeEtches(db, 1);
    node.lie = {};
    await drain(anchoring, db);
    await auditLedger(db, ground.devnet, { fromBlock: from });
    expect((await anchoring.status()).failingSince).toBeNull();
  });

  test('sends once if the node accepts a transaction and returns an error', async () => {
    const real = ground.devnet.chain();
    let errors = 0;
    const chain = withChanges(real, {
      send: async (raw) => {
        const answer = await real.send(raw);
        if (errors++ < 3) throw new ChainUnavailable('the connection was lost');
        return answer;
      },
    });
    const anchoring = ground.anchoring(db, { chain });
    for (let round = 0; round < 3; round++) {
      await makeEtches(db, 2);
      await drain(anchoring, db);
    }
    expect(errors).toBeGreaterThanOrEqual(3);
    await auditLedger(db, ground.devnet, { fromBlock: from });
  });

  test('remembers since when the chain is down, without its address', async () => {
    const node = changeable(ground.devnet.chain());
    const anchoring = ground.anchoring(db, { chain: node.chain });
    node.lie = LIES['everything down']!(ground.devnet.chain());
    await makeEtches(db, 2);
    expect(await anchoring.tick()).toMatchObject({ leader: true, reached: false });
    const first = await anchoring.status();
    expect(first).toMatchObject({
      pending: 2,
      failure: 'CHAIN_RPC_URL: down at <rpc>',
      failingSince: expect.any(String),
    });
    expect(first.oldestPendingSeconds).toBeGreaterThanOrEqual(0);
    expect(Number.isInteger(first.oldestPendingSeconds), 'no hidden time to the millisecond').toBe(true);
    await anchoring.tick();
    expect((await anchoring.status()).failingSince).toBe(first.failingSince);
    node.lie = {};
    await drain(anchoring, db);
    expect(await anchoring.status()).toMatchObject({ failure: null, failingSince: null, pending: 0 });
    await auditLedger(db, ground.devnet, { fromBlock: from });
    expect(JSON.stringify(ground.log)).not.toContain('secret-key');
  });

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
      expect(await countAnchored()).toBe(0);
      expect((await anchoring.status()).failure).toMatch(/another block replaced its block/);
      second.rule = undefined;
      await drain(anchoring, db);
      await auditLedger(db, devnet);
    } finally {
      await second.stop();
    }
  });
});
