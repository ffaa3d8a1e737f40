import type { Hex } from './port.ts';
import { createRpc } from './rpc-endpoints.ts';
import { toBlock, toHash, toNumber, toRecord } from './rpc-values.ts';

export interface NonceHolderOptions {
  rpcUrls: readonly string[];
  /** whose nonces */
  sender: Hex;
  chainId?: number;
  timeoutMs?: number;
  /** how many blocks back from the head to look, at most (default 10,000) */
  depth?: number;
}

/**
 * Finds the mined transaction that holds a nonce of `sender`: halves the range of blocks by the sender's count of
 * transactions, then reads the block. null when the node does not know.
 */
export function createNonceHolder(
  options: NonceHolderOptions,
): (nonce: number) => Promise<{ hash: Hex; blockNumber: number } | null> {
  const rpc = createRpc({ ...options, urls: options.rpcUrls });
  const sender = options.sender.toLowerCase() as Hex;
  const tag = (block: number): Hex => `0x${block.toString(16)}`;
  const countAt = (block: number) => rpc.request('eth_getTransactionCount', [sender, tag(block)], toNumber);

  return async (nonce) => {
    const head = await rpc.request('eth_getBlockByNumber', ['latest', false], toBlock);
    if ((await countAt(head.number)) <= nonce) return null;
    let low = Math.max(0, head.number - (options.depth ?? 10_000));
    let high = head.number;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      if ((await countAt(middle)) > nonce) high = middle;
      else low = middle + 1;
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
