// Gas and fees of a transaction (EIP-1559), never above the operator's limit.
import { parseGwei } from 'viem';
import type { Rpc } from './client.ts';
import { NodeError, toBigInt } from './json-rpc.ts';
import type { Fees, Hex } from './port.ts';

const GWEI = 10n ** 9n;
/** A later block may need more; unused gas costs nothing. */
const GAS_MARGIN = 5n;

export const feeCap = (maxFeeGwei: number): bigint => parseGwei(String(maxFeeGwei));

export async function gasWithMargin(rpc: Rpc, call: { from: Hex; to: Hex; data: Hex }): Promise<bigint> {
  const gas = await rpc.request('eth_estimateGas', [call], toBigInt);
  return gas + gas / GAS_MARGIN;
}

export const feesFor = async (rpc: Rpc, baseFee: bigint, cap: bigint): Promise<Fees & { capped: boolean }> =>
  boundedFees(baseFee, await suggestedTip(rpc), cap);

/** EIP-1559: the base fee may double. */
export function boundedFees(baseFee: bigint, tip: bigint, cap: bigint): Fees & { capped: boolean } {
  const wanted = 2n * baseFee + tip;
  const maxFeePerGas = wanted < cap ? wanted : cap;
  return {
    maxFeePerGas,
    maxPriorityFeePerGas: tip < maxFeePerGas ? tip : maxFeePerGas,
    capped: baseFee + tip > cap,
  };
}

/** Not every chain serves this method; one gwei is usual when idle. */
async function suggestedTip(rpc: Rpc): Promise<bigint> {
  try {
    return await rpc.request('eth_maxPriorityFeePerGas', [], toBigInt);
  } catch (error) {
    if (error instanceof NodeError) return GWEI;
    throw error;
  }
}

export interface FeesPaid {
  gas: bigint;
  /** on a rollup with its fee for the chain below */
  wei: bigint;
}

export const createFeeReader =
  (rpc: Rpc): ((txHash: Hex) => Promise<FeesPaid | null>) =>
  (txHash) =>
    rpc.requestKnown('eth_getTransactionReceipt', [txHash], toFees);

function toFees(receipt: unknown): FeesPaid | null {
  if (receipt === null || typeof receipt !== 'object') return null;
  const { gasUsed, effectiveGasPrice, l1Fee } = receipt as Record<string, unknown>;
  if (gasUsed === undefined || effectiveGasPrice === undefined) return null;
  const gas = toBigInt(gasUsed);
  return { gas, wei: gas * toBigInt(effectiveGasPrice) + (l1Fee === undefined ? 0n : toBigInt(l1Fee)) };
}
