import type { Fees } from '../../chain/port.ts';

/**
 * Adds a quarter, or takes the current fees if higher. Returns null if the cap allows less than the 10 % that
 * nodes require.
 */
export function raise(last: Fees, now: Fees, cap: bigint): Fees | null {
  const quarter = (fee: bigint) => (fee * 5n + 3n) / 4n;
  const tenth = (fee: bigint) => (fee * 11n + 9n) / 10n;
  const most = (a: bigint, b: bigint) => (a > b ? a : b);
  const least = (a: bigint, b: bigint) => (a < b ? a : b);
  const maxFeePerGas = least(cap, most(quarter(last.maxFeePerGas), now.maxFeePerGas));
  if (maxFeePerGas < tenth(last.maxFeePerGas)) return null;
  const tip = most(quarter(last.maxPriorityFeePerGas), now.maxPriorityFeePerGas);
  return { maxFeePerGas, maxPriorityFeePerGas: least(tip, maxFeePerGas) };
}
