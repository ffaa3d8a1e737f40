/** The count of `npm test`, or the full count of `npm run soak`. `E2E_ROUNDS` caps both. */
export function rounds(normally: number, atFullCount: number): number {
  const wanted = process.env['TEST_SOAK'] === '1' ? atFullCount : normally;
  return Math.min(wanted, Number(process.env['E2E_ROUNDS'] ?? wanted));
}

/** When false, tests omit cases that a cheaper test covers. */
export const AT_FULL_COUNT = rounds(0, 1) === 1;
