import { callOnce } from './json-rpc.ts';
import { ChainUnavailable, type Hex } from './port.ts';
import { worst } from './rpc-endpoints.ts';
import { toBigInt } from './rpc-values.ts';

/** What a mined transaction cost. */
export interface FeesPaid {
  gas: bigint;
  /** wei; on a rollup with what it paid for the chain beneath */
  wei: bigint;
}

/** Reads what transactions cost; null for one that the endpoint does not know. @throws ChainUnavailable */
export function createFeeReader(rpcUrls: readonly string[]): (txHash: Hex) => Promise<FeesPaid | null> {
  return async (txHash) => {
    const failures: unknown[] = [];
    for (const url of rpcUrls) {
      try {
        const options = { timeoutMs: 5_000, maxBytes: 4 * 1024 * 1024 };
        return toFees(await callOnce(url, 'eth_getTransactionReceipt', [txHash], options));
      } catch (error) {
        if (!(error instanceof ChainUnavailable)) throw error;
        failures.push(error);
      }
    }
    throw worst(failures);
  };
}

function toFees(receipt: unknown): FeesPaid | null {
  if (receipt === null || typeof receipt !== 'object') return null;
  const { gasUsed, effectiveGasPrice, l1Fee } = receipt as Record<string, unknown>;
  if (gasUsed === undefined || effectiveGasPrice === undefined) return null;
  const gas = toBigInt(gasUsed);
  return { gas, wei: gas * toBigInt(effectiveGasPrice) + (l1Fee === undefined ? 0n : toBigInt(l1Fee)) };
}
