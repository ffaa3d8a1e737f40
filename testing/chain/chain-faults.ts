import { setTimeout as sleep } from 'node:timers/promises';
import { privateKeyToAccount } from 'viem/accounts';
import { eventually } from '../wait.ts';
import type { Hex, TestNode } from './node.ts';

const GWEI = 10n ** 9n;

export async function dropBlocks(chain: TestNode, depth: number): Promise<void> {
  await chain.rpc('anvil_reorg', depth, []);
  await keepTime(chain);
}

async function transactionsIn(chain: TestNode, block: number): Promise<string[]> {
  const found = await chain.rpc('eth_getBlockByNumber', `0x${block.toString(16)}`, false);
  return (found as { transactions: string[] }).transactions;
}

export async function depthOfNewest(chain: TestNode): Promise<number> {
  const { number: head } = await chain.head();
  for (let number = head; ; number--)
    if ((await transactionsIn(chain, number)).length > 0) return head - number + 2;
}

/** Mines the transactions again, the last one first. */
export async function moveTransactions(chain: TestNode, depth: number): Promise<number> {
  const { number: head } = await chain.head();
  const raws: string[] = [];
  for (let number = head - depth + 1; number <= head; number++)
    for (const hash of await transactionsIn(chain, number))
      raws.push((await chain.rpc('eth_getRawTransactionByHash', hash)) as string);
  // Nonces fix the order of one sender, so all transactions move to the last block.
  await chain.rpc(
    'anvil_reorg',
    depth,
    raws.map((raw) => [raw, depth - 1]),
  );
  await keepTime(chain);
  return raws.length;
}

export async function rollBack(chain: TestNode, depth: number): Promise<void> {
  await chain.rpc('anvil_rollback', depth);
  await keepTime(chain);
}

/** After a rollback the chain's time would continue from the old block. */
async function keepTime(chain: TestNode): Promise<void> {
  const { timestamp } = await chain.head();
  await chain.rpc('anvil_setTime', Math.max(timestamp, Math.floor(Date.now() / 1000)) + 1);
}

export async function setNextBaseFee(chain: TestNode, wei: bigint): Promise<void> {
  await chain.rpc('anvil_setNextBlockBaseFeePerGas', `0x${wei.toString(16)}`);
}

export async function calmFees(chain: TestNode): Promise<void> {
  await setNextBaseFee(chain, GWEI);
  await chain.mine();
}

/** Each block takes a minute of chain time. Automatic mining must be off. */
export async function raiseBaseFee(chain: TestNode, gwei: number): Promise<() => Promise<void>> {
  let stopped = false;
  const making = (async () => {
    while (!stopped) {
      await setNextBaseFee(chain, BigInt(gwei) * GWEI);
      await chain.rpc('evm_increaseTime', 61);
      await chain.mine();
      await sleep(1_000);
    }
  })();
  making.catch(() => {});
  return async () => {
    stopped = true;
    await making;
    await calmFees(chain);
  };
}

export async function spendNonce(chain: TestNode, key: Hex): Promise<Hex> {
  const { address, signTransaction } = privateKeyToAccount(key);
  const { baseFeePerGas } = await chain.head();
  const raw = await signTransaction({
    type: 'eip1559',
    chainId: chain.chainId,
    to: address,
    nonce: Number(await chain.rpc('eth_getTransactionCount', address, 'latest')),
    gas: 21_000n,
    maxFeePerGas: 10n * baseFeePerGas + GWEI,
    maxPriorityFeePerGas: GWEI,
  });
  const hash = (await chain.rpc('eth_sendRawTransaction', raw)) as Hex;
  await eventually('the nonce is spent', () => chain.rpc('eth_getTransactionReceipt', hash), { everyMs: 20 });
  return hash;
}
