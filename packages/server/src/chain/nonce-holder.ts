import { NodeError } from './json-rpc.ts';
import type { Hex } from './port.ts';
import { createRpc } from './rpc-endpoints.ts';
import { toBlock, toHash, toNumber, toRecord } from './rpc-values.ts';

export interface NonceHolderOptions {
  rpcUrls: readonly string[];
  /** whose nonces */
  sender: Hex;
  chainId?: number;
  timeoutMs?: number;
}

/**
 * Finds the mined transaction that holds a nonce of `sender`: from the head backwards, by the sender's count of
 * transactions at each block, then in the block. null when the node does not know.
 */
export function createNonceHolder(
  options: NonceHolderOptions,
): (nonce: number) => Promise<{ hash: Hex; blockNumber: number } | null> {
  const rpc = createRpc({ ...options, urls: options.rpcUrls });
  const sender = options.sender.toLowerCase() as Hex;
  const tag = (block: number): Hex => `0x${block.toString(16)}`;
  const countAt = (block: number) => rpc.request('eth_getTransactionCount', [sender, tag(block)], toNumber);

  /** Has `nonce` been spent by the end of this block? Nodes forget old states: then it counts as not yet. */
  const isSpentBy = async (block: number, nonce: number): Promise<boolean> => {
    try {
      return (await countAt(block)) > nonce;
    } catch (error) {
      if (error instanceof NodeError) return false;
      throw error;
    }
  };

  return async (nonce) => {
    const head = await rpc.request('eth_getBlockByNumber', ['latest', false], toBlock);
    if (!(await isSpentBy(head.number, nonce))) return null;
    let high = head.number;
    let low = high - 1;
    for (let step = 1; low > 0 && (await isSpentBy(low, nonce)); step *= 2) {
      high = low;
      low = Math.max(0, low - step);
    }
    while (low + 1 < high) {
      const middle = Math.floor((low + high) / 2);
      if (await isSpentBy(middle, nonce)) high = middle;
      else low = middle;
    }
    return rpc.request('eth_getBlockByNumber', [tag(high), true], (answer) => {
      if (answer === null) return null;
      const transactions = toRecord(answer)['transactions'];
      if (!Array.isArray(transactions)) return null;
      for (const transaction of transactions.map(toRecord)) {
        if (String(transaction['from']).toLowerCase() !== sender || toNumber(transaction['nonce']) !== nonce)
          continue;
        return { hash: toHash(transaction['hash']), blockNumber: high };
      }
      return null;
    });
  };
}
