/**
 * The slowness of this machine, relative to an idle one with two cores. `scripts/test.mjs` measures it. Every limit is
 * multiplied by it.
 */
export const SLOWNESS = Math.max(1, Number(process.env['TEST_SLOWNESS'] ?? 1));
