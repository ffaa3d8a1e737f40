import type { Rpc } from './client.ts';
import type { Hex } from './port.ts';
import { toBigInt } from './rpc-values.ts';

export interface FeesPaid {
  gas: bigint;
  /** on a rollup with its fee for the chain below */
  wei: bigint;
}

export function createFeeReader(rpc: Rpc): (txHash: Hex) => Promise<FeesPaid | null> {
  return (txHash) => rpc.requestKnown('eth_getTransactionReceipt', [txHash], toFees);
}

function toFees(receipt: unknown): FeesPaid | null {
  if (receipt === null || typeof receipt !== 'object') return null;
  const { gasUsed, effectiveGasPrice, l1Fee } = receipt as Record<string, unknown>;
  if (gasUsed === undefined || effectiveGasPrice === undefined) return null;
  const gas = toBigInt(gasUsed);
  return { gas, wei: gas * toBigInt(effectiveGasPrice) + (l1Fee === undefined ? 0n : toBigInt(l1Fee)) };
}
