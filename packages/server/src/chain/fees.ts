import { NodeError } from './json-rpc.ts';
import type { Fees } from './port.ts';
import type { Rpc } from './rpc-endpoints.ts';
import { toBigInt } from './rpc-values.ts';

const GWEI = 10n ** 9n;

/** Fees for inclusion soon, as the node suggests, never more than the cap. Amounts are wei per gas. */
export async function feesFor(rpc: Rpc, baseFee: bigint, cap: bigint): Promise<Fees & { capped: boolean }> {
  return boundedFees(baseFee, await suggestedTip(rpc), cap);
}

/** EIP-1559: room for a base fee that doubles, never more than the cap. */
export function boundedFees(baseFee: bigint, tip: bigint, cap: bigint): Fees & { capped: boolean } {
  const wanted = 2n * baseFee + tip;
  const maxFeePerGas = wanted < cap ? wanted : cap;
  return {
    maxFeePerGas,
    maxPriorityFeePerGas: tip < maxFeePerGas ? tip : maxFeePerGas,
    capped: baseFee + tip > cap,
  };
}

/** Chains without a market for tips do not serve the question; a gwei is what the others ask at rest. */
async function suggestedTip(rpc: Rpc): Promise<bigint> {
  try {
    return await rpc.request('eth_maxPriorityFeePerGas', [], toBigInt);
  } catch (error) {
    if (error instanceof NodeError) return GWEI;
    throw error;
  }
}
