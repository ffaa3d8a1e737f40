import type { Rpc } from './client.ts';
import { NodeError } from './json-rpc.ts';
import { readOwnTransaction } from './own-transaction.ts';
import type { Hex, OwnTransaction } from './port.ts';
import { toBlock, toNumber, toRecord } from './rpc-values.ts';

/** Searches backwards for the block in which the sender's count passes the nonce. Null if the node cannot say. */
export function createNonceHolder(rpc: Rpc, address: Hex): (nonce: number) => Promise<OwnTransaction | null> {
  const sender = address.toLowerCase() as Hex;
  const tag = (block: number): Hex => `0x${block.toString(16)}`;
  const countAt = (block: number) => rpc.request('eth_getTransactionCount', [sender, tag(block)], toNumber);

  /** Nodes prune old states; an unknown one counts as not spent. */
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
    const found = await rpc.request('eth_getBlockByNumber', [tag(high), true], (answer) => {
      if (answer === null) return null;
      const transactions = toRecord(answer)['transactions'];
      if (!Array.isArray(transactions)) return null;
      return transactions.map(toRecord).find((transaction) => {
        const from = String(transaction['from']).toLowerCase();
        return from === sender && toNumber(transaction['nonce']) === nonce;
      });
    });
    const own = found ? await readOwnTransaction(found, [sender]) : null;
    return own?.blockNumber === high ? own : null;
  };
}
