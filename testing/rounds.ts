/**
 * How often a test does its damage: `npm test`, and at full count `npm run soak`. `E2E_ROUNDS` caps both, for whoever
 * works on these tests.
 */
export function rounds(normally: number, atFullCount: number): number {
  const wanted = process.env['TEST_SOAK'] === '1' ? atFullCount : normally;
  return Math.min(wanted, Number(process.env['E2E_ROUNDS'] ?? wanted));
}

/**
 * Everything is to be shown on everything it can be shown on: every kind of a thing, every theme and width. Else what a cheaper test
 * shows as well is left to `npm run soak`.
 */
export const AT_FULL_COUNT = rounds(0, 1) === 1;
