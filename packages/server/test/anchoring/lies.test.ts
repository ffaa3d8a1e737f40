import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import {
  ChainUnavailable,
  type Attestation,
  type Chain,
  type Hex,
  type Receipt,
} from '../../src/chain/port.ts';
import * as testing from '../../../../testing/anchoring/index.ts';
import { startRpcGate } from '../../../../testing/chain/rpc-gate.ts';

const { drain, makeEtches, retract } = testing;
const OTHER: Hex = `0x${'ab'.repeat(32)}`;
const down = (): Promise<never> =>
  Promise.reject(new ChainUnavailable('down at https://example.org/secret-key'));

type Lie = (real: Chain) => Partial<Chain>;
const receipts =
  (change: (receipt: Receipt) => Partial<Receipt>): Lie =>
  (real) => ({
    receipt: async (hash) => {
      const receipt = await real.receipt(hash);
      return receipt && { ...receipt, ...change(receipt) };
    },
  });
const attested =
  (change: Partial<Attestation>): Lie =>
  (real) => ({
    attestation: async (uid) => {
      const attestation = await real.attestation(uid);
      return attestation && { ...attestation, ...change };
    },
  });
const EVERYTHING = 'identity head finalBlock blockByNumber minedNonce fees send receipt attestation'.split(
  ' ',
);

/** Each lie prevents all anchoring while it lasts. */
const LIES: Record<string, Lie> = {
  'no receipts': () => ({ receipt: async () => null }),
  'no receipts and no transactions': () => ({ receipt: async () => null, knows: async () => false }),
  'a receipt in another block': receipts(() => ({ blockHash: OTHER })),
  'a receipt of another transaction': receipts(() => ({ txHash: OTHER })),
  'forged uids': receipts(({ logs }) => ({ logs: logs.map((entry) => ({ ...entry, uid: OTHER })) })),
  'logs in another order': receipts(({ logs }) => ({ logs: logs.toReversed() })),
  'one log twice': receipts(({ logs }) => ({ logs: logs.map(() => logs[0]!) })),
  'no logs': receipts(() => ({ logs: [] })),
  'a log too many': receipts(({ logs }) => ({ logs: [...logs, { event: 'Attested', uid: OTHER }] })),
  'no attestations': () => ({ attestation: async () => null }),
  'other data': attested({ data: OTHER }),
  'another chain id': (real) => ({ identity: async () => ({ ...(await real.identity()), chainId: 1 }) }),
  'a final block that never comes': (real) => ({ finalBlock: async () => (await real.blockByNumber(0))! }),
  'a final block above the head': (real) => ({
    finalBlock: async () => ({ ...(await real.head()), number: 1_000_000 }),
  }),
  'blocks unknown': () => ({ blockByNumber: async () => null }),
  'everything down': () => Object.fromEntries(EVERYTHING.map((method) => [method, down])),
};

const ground = testing.useAnchoring();
const db = testing.useDatabase();
const allAnchored = async () =>
  (await db.query(sql`select 1 from batch where anchored_at is not null`)).length;
let before = 0;
beforeEach(async () => void (before = await allAnchored()));

function liar(): { chain: Chain; lie: Partial<Chain> } {
  const node = { lie: {} as Partial<Chain>, chain: ground.devnet.chain() };
  node.chain = new Proxy(node.chain, {
    get: (target, name) => (Reflect.get(node.lie, name) ?? Reflect.get(target, name)) as unknown,
  });
  return node;
}

test.each(Object.keys(LIES))('%s: anchors nothing wrongly and nothing twice', async (name) => {
  const node = liar();
  const anchoring = ground.anchoring(db, { chain: node.chain });
  await anchoring.tick();
  node.lie = LIES[name]!(ground.devnet.chain());
  const etches = await makeEtches(db, 4);
  await retract(db, etches.slice(0, 2));
  for (let look = 0; look < 7; look++) await anchoring.tick();
  expect(await allAnchored()).toBe(before);
  await makeEtches(db, 1);
  node.lie = {};
  await drain(anchoring, db);
  await ground.audit(db);
  expect((await anchoring.status()).failingSince).toBeNull();
});

test('counts no revocation that its attestation does not show', async () => {
  const node = liar();
  const anchoring = ground.anchoring(db, { chain: node.chain, rules: { scheme: 'single' } });
  const etches = await makeEtches(db, 2);
  await drain(anchoring, db);
  node.lie = attested({ revocationTime: 0 })(ground.devnet.chain());
  await retract(db, etches);
  const done = await allAnchored();
  for (let look = 0; look < 7; look++) await anchoring.tick();
  expect(await allAnchored()).toBe(done);
  node.lie = {};
  await drain(anchoring, db);
  expect(await allAnchored()).toBeGreaterThan(done);
  await ground.audit(db);
});

test('sends once if the node accepts a transaction and returns an error', async () => {
  const real = ground.devnet.chain();
  let errors = 0;
  const chain = testing.withChanges(real, {
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
  await ground.audit(db);
});

test('remembers since when the chain is down, without its address', async () => {
  const node = liar();
  const anchoring = ground.anchoring(db, { chain: node.chain });
  node.lie = LIES['everything down']!(ground.devnet.chain());
  await makeEtches(db, 2);
  expect(await anchoring.tick()).toMatchObject({ leader: true, reached: false });
  const first = await anchoring.status();
  const failing = { failure: 'CHAIN_RPC_URL: down at <rpc>', failingSince: expect.any(String) };
  expect(first).toMatchObject({ pending: 2, ...failing });
  expect(first.oldestPendingSeconds).toBeGreaterThanOrEqual(0);
  expect(Number.isInteger(first.oldestPendingSeconds), 'no hidden time to the millisecond').toBe(true);
  await anchoring.tick();
  expect((await anchoring.status()).failingSince).toBe(first.failingSince);
  node.lie = {};
  await drain(anchoring, db);
  expect(await anchoring.status()).toMatchObject({ failure: null, failingSince: null, pending: 0 });
  await ground.audit(db);
  expect(JSON.stringify(ground.log)).not.toContain('secret-key');
});

test('anchors nothing in a block that another endpoint contradicts', async () => {
  const { devnet } = ground;
  const second = await startRpcGate(devnet.rpcUrl, {
    rule: async ({ method, params }, pass) => {
      const block = method === 'eth_getBlockByNumber' ? await pass(method, params) : null;
      return block === null ? undefined : { result: { ...block, hash: OTHER } };
    },
  });
  try {
    const anchoring = ground.anchoring(db, { chain: devnet.chain({ urls: [devnet.rpcUrl, second.url] }) });
    await makeEtches(db, 2);
    for (let look = 0; look < 6; look++) await anchoring.tick();
    expect(await allAnchored()).toBe(before);
    expect((await anchoring.status()).failure).toMatch(/another block replaced its block/);
    second.rule = undefined;
    await drain(anchoring, db);
    await ground.audit(db);
  } finally {
    await second.stop();
  }
});
