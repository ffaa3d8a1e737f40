export function daysLeft(balance: bigint | null, perDay: bigint | undefined): number | null {
  if (balance === null || !perDay) return null;
  return Number((balance * 1000n) / perDay) / 1000;
}
