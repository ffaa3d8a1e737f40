import { formatTransaction, keccak256, recoverTransactionAddress, serializeTransaction } from 'viem';
import type { RpcTransaction, TransactionSerializable } from 'viem';
import type { Hex, OwnTransaction } from './port.ts';
import { toHash, toNumber, toRecord } from './rpc-values.ts';

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
