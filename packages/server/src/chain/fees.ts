import { parseGwei } from 'viem';
import type { Rpc } from './client.ts';
import { NodeError } from './json-rpc.ts';
import type { Fees, Hex } from './port.ts';
import { toBigInt } from './rpc-values.ts';

const GWEI = 10n ** 9n;
/** Spare gas, a fifth: a block later the same call may cost a little more. What is not used is not paid. */
const GAS_MARGIN = 5n;

/** The most a gas unit may cost, wei. */
export const feeCap = (maxFeeGwei: number): bigint => parseGwei(String(maxFeeGwei));

/** What a call costs now, with a fifth to spare. @throws NodeError when the contract would refuse it */
export async function gasWithMargin(rpc: Rpc, call: { from: Hex; to: Hex; data: Hex }): Promise<bigint> {
  const gas = await rpc.request('eth_estimateGas', [call], toBigInt);
  return gas + gas / GAS_MARGIN;
}

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
