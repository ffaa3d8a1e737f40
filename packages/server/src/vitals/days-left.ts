/** Days that a balance lasts; null if unknown, or if nothing is spent. Both amounts are wei. */
export function daysLeft(balance: bigint | null, perDay: bigint | undefined): number | null {
  if (balance === null || !perDay) return null;
  return Number((balance * 1000n) / perDay) / 1000;
}
