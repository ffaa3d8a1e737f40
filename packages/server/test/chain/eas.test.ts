// Runs without a database.
import { generatePrivateKey } from 'viem/accounts';
import { beforeAll, describe, expect, it } from 'vitest';
import { boundedFees } from '../../src/chain/fees.ts';
import { ChainUnavailable, type Chain, type Hex } from '../../src/chain/port.ts';
import { useDevnet } from '../../../../testing/chain/devnet.ts';
import { mined, request, signNext, transact } from './transactions.ts';

const devnet = useDevnet();
let chain: Chain;

beforeAll(() => void (chain = devnet.chain()));

describe('attestations', () => {
  it('are made, read back and revoked', async () => {
    const requests = [request({ revocable: true }), request(), request()];
    const receipt = await transact(chain, chain.encodeAttest(requests));
    expect(receipt).toMatchObject({ succeeded: true });
    expect(receipt.logs.map((log) => log.event)).toEqual(['Attested', 'Attested', 'Attested']);
    const block = await chain.blockByNumber(receipt.blockNumber);
    expect(block?.hash).toBe(receipt.blockHash);
    for (const [index, { uid }] of receipt.logs.entries())
      expect(await chain.attestation(uid)).toEqual({
        uid,
        schema: devnet.schemaUid,
        attester: chain.relayer,
        data: requests[index]?.data,
        time: block?.timestamp,
        revocationTime: 0,
        revocable: index === 0,
      });
    const [first] = receipt.logs;
    const revoked = await transact(chain, chain.encodeRevoke([first!.uid]));
    expect(revoked.logs).toEqual([{ event: 'Revoked', uid: first!.uid }]);
    const time = (await chain.blockByNumber(revoked.blockNumber))?.timestamp;
    expect((await chain.attestation(first!.uid))?.revocationTime).toBe(time);
  });

  it('are null when unknown', async () => {
    const unknown: Hex = `0x${'ab'.repeat(32)}`;
    expect(await chain.attestation(unknown)).toBeNull();
    expect(await chain.receipt(unknown)).toBeNull();
    expect(await chain.knows(unknown)).toBe(false);
    expect(await chain.blockByNumber(1_000_000)).toBeNull();
  });

  it('that the contract would revert fail at the estimate', async () => {
    const refusal = chain.estimateGas(chain.encodeRevoke([`0x${'cd'.repeat(32)}`]));
    await expect(refusal).rejects.toBeInstanceOf(ChainUnavailable);
  });
});

describe('transactions', () => {
  it('sent again are rejected by their nonce', async () => {
    const { raw, hash } = await signNext(chain, chain.encodeAttest([request()]));
    expect(await chain.send(raw)).toEqual({ outcome: 'accepted' });
    await mined(chain, hash);
    expect((await chain.send(raw)).outcome).toBe('nonce-too-low');
    expect(await chain.knows(hash)).toBe(true);
  });

  it('waiting in the pool are known, and replaced only at a higher fee', async () => {
    await devnet.haltBlocks();
    try {
      const calldata = chain.encodeAttest([request()]);
      const fees = await chain.fees();
      const signing = { nonce: await chain.minedNonce(), calldata, gas: await chain.estimateGas(calldata) };
      const first = await chain.sign({ ...signing, ...fees });
      expect((await chain.send(first.raw)).outcome).toBe('accepted');
      expect((await chain.send(first.raw)).outcome).toBe('already-known');
      expect(await chain.knows(first.hash)).toBe(true);
      expect(await chain.receipt(first.hash)).toBeNull();
      const cheaper = await chain.sign({ ...signing, ...fees, maxFeePerGas: fees.maxFeePerGas - 1n });
      expect((await chain.send(cheaper.raw)).outcome).toBe('underpriced');
      const [maxFeePerGas, maxPriorityFeePerGas] = [fees.maxFeePerGas * 2n, fees.maxPriorityFeePerGas * 2n];
      const raised = await chain.sign({ ...signing, maxFeePerGas, maxPriorityFeePerGas });
      expect((await chain.send(raised.raw)).outcome).toBe('accepted');
      await devnet.rpc('evm_mine');
      expect((await mined(chain, raised.hash)).logs).toHaveLength(1);
      expect(await chain.receipt(first.hash)).toBeNull();
    } finally {
      await devnet.resumeBlocks();
    }
  });

  it('without funds are rejected', async () => {
    const poor = devnet.chain({ relayerPrivateKey: generatePrivateKey() });
    const calldata = poor.encodeAttest([request()]);
    const signed = await poor.sign({ nonce: 0, calldata, gas: 1_000_000n, ...(await poor.fees()) });
    const message = expect.stringMatching(/insufficient funds/i);
    expect(await poor.send(signed.raw)).toMatchObject({ outcome: 'rejected', message });
  });
});

describe('blocks', () => {
  it('are never older than the moment they were made', async () => {
    for (let round = 0; round < 3; round++) {
      const before = Date.now();
      await chain.mineEmptyBlock?.();
      expect((await chain.head()).timestamp * 1000).toBeGreaterThanOrEqual(before);
      const receipt = await transact(chain, chain.encodeAttest([request()]));
      expect((await chain.blockByNumber(receipt.blockNumber))!.timestamp * 1000).toBeGreaterThan(before);
    }
  });

  it('count as final by depth, or by the safe tag', async () => {
    for (let i = 0; i < 5; i++) await chain.mineEmptyBlock?.();
    const head = await chain.head();
    expect(await chain.finalBlock()).toEqual(head);
    const third = await devnet.chain({ confirmations: 3 }).finalBlock();
    expect(third.number).toBe(head.number - 2);
    expect((await devnet.chain({ confirmations: 1_000_000 }).finalBlock()).number).toBe(0);
    const safe = await devnet.chain({ confirmations: 'safe' }).finalBlock();
    const block = (await devnet.rpc('eth_getBlockByNumber', 'safe', false)) as { number: string };
    expect(safe.number).toBe(Number(block.number));
  });
});

describe('fees', () => {
  const gwei = 10n ** 9n;
  it('stay within the cap and report when the chain asks for more', async () => {
    const cap = 100n * gwei;
    for (const [base, tip, maxFeePerGas, maxPriorityFeePerGas, capped] of [
      [10n * gwei, gwei, 21n * gwei, gwei, false],
      [60n * gwei, gwei, cap, gwei, false],
      [99n * gwei, gwei, cap, gwei, false],
      [99n * gwei, gwei + 1n, cap, gwei + 1n, true],
      [0n, 5_000n * gwei, cap, cap, true],
    ] as const)
      expect(boundedFees(base, tip, cap)).toEqual({ maxFeePerGas, maxPriorityFeePerGas, capped });
  });
});

it('the chain is identified by its id and genesis block', async () => {
  expect(await chain.identity()).toEqual({ chainId: 31337, genesisHash: devnet.genesisHash });
  expect(await chain.balance()).toBeGreaterThan(10n ** 23n);
});
