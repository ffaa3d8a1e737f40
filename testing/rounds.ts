/** `npm test`, or at full count `npm run soak`; `E2E_ROUNDS` caps both. */
export function rounds(normally: number, atFullCount: number): number {
  const wanted = process.env['TEST_SOAK'] === '1' ? atFullCount : normally;
  return Math.min(wanted, Number(process.env['E2E_ROUNDS'] ?? wanted));
}

/** Otherwise tests leave out what a cheaper test shows. */
export const AT_FULL_COUNT = rounds(0, 1) === 1;
