// Finds the mined transaction of a nonce. Hash and signature are checked, so a node cannot invent one.
import {
  formatTransaction,
  keccak256,
  recoverTransactionAddress,
  type RpcTransaction,
  serializeTransaction,
  type TransactionSerializable,
} from 'viem';
import type { Hex, OwnTransaction } from './port.ts';
import type { Rpc } from './client.ts';
import { NodeError, toBlock, toHash, toNumber, toRecord } from './json-rpc.ts';

/**
 * Checks hash and signer of the bytes, so a node cannot invent a transaction.
 * @returns null if not mined or not ours
 */
export async function readOwnTransaction(
  answer: unknown,
  senders: readonly Hex[],
): Promise<OwnTransaction | null> {
  if (answer === null) return null;
  const record = toRecord(answer);
  if (record['blockNumber'] === null || record['blockNumber'] === undefined) return null;
  const hash = toHash(record['hash']);
  const blockNumber = toNumber(record['blockNumber']);
  const blockHash = toHash(record['blockHash']);
  const signed = await signedForm(record as unknown as RpcTransaction, hash, senders);
  return signed && { hash, blockNumber, blockHash, ...signed };
}

async function signedForm(answer: RpcTransaction, hash: Hex, senders: readonly Hex[]) {
  try {
    const found = formatTransaction(answer);
    const { r, s, v, yParity } = found;
    const request = { ...found, data: found.input, accessList: found.accessList ?? [] };
    if (found.type === 'legacy') delete (request as { accessList?: unknown }).accessList;
    const signature = { r, s, ...(found.type === 'legacy' ? { v } : { yParity: yParity ?? Number(v) }) };
    const raw = serializeTransaction(request as unknown as TransactionSerializable, signature as never);
    if (keccak256(raw) !== hash) return null;
    const signer = await recoverTransactionAddress({ serializedTransaction: raw });
    const sender = signer.toLowerCase() as Hex;
    if (!senders.includes(sender)) return null;
    return {
      raw,
      sender,
      nonce: found.nonce,
      to: found.to && (found.to.toLowerCase() as Hex),
      calldata: found.input.toLowerCase() as Hex,
      gas: found.gas,
      maxFeePerGas: found.maxFeePerGas ?? found.gasPrice ?? 0n,
      maxPriorityFeePerGas: found.maxPriorityFeePerGas ?? found.gasPrice ?? 0n,
    };
  } catch {
    return null;
  }
}

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
