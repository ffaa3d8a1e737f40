import { parseGwei } from 'viem';
import type { Rpc } from './client.ts';
import { NodeError } from './json-rpc.ts';
import type { Fees, Hex } from './port.ts';
import { toBigInt } from './rpc-values.ts';

const GWEI = 10n ** 9n;
/** A fifth more gas than estimated: the call may cost more in a later block, and unused gas costs nothing. */
const GAS_MARGIN = 5n;

/** The highest fee per gas, wei. */
export const feeCap = (maxFeeGwei: number): bigint => parseGwei(String(maxFeeGwei));

/** Gas of a call now plus a fifth. @throws NodeError if the contract would revert */
export async function gasWithMargin(rpc: Rpc, call: { from: Hex; to: Hex; data: Hex }): Promise<bigint> {
  const gas = await rpc.request('eth_estimateGas', [call], toBigInt);
  return gas + gas / GAS_MARGIN;
}

/** Fees for early inclusion as the node suggests, at most the cap. Wei per gas. */
export async function feesFor(rpc: Rpc, baseFee: bigint, cap: bigint): Promise<Fees & { capped: boolean }> {
  return boundedFees(baseFee, await suggestedTip(rpc), cap);
}

/** EIP-1559: allows the base fee to double, at most up to the cap. */
export function boundedFees(baseFee: bigint, tip: bigint, cap: bigint): Fees & { capped: boolean } {
  const wanted = 2n * baseFee + tip;
  const maxFeePerGas = wanted < cap ? wanted : cap;
  return {
    maxFeePerGas,
    maxPriorityFeePerGas: tip < maxFeePerGas ? tip : maxFeePerGas,
    capped: baseFee + tip > cap,
  };
}

/** A chain without tips does not serve this method; one gwei is what others suggest when idle. */
async function suggestedTip(rpc: Rpc): Promise<bigint> {
  try {
    return await rpc.request('eth_maxPriorityFeePerGas', [], toBigInt);
  } catch (error) {
    if (error instanceof NodeError) return GWEI;
    throw error;
  }
}
