/** Relative to an idle machine with two cores, measured by `scripts/test.mjs`. Every limit is multiplied by it. */
export const SLOWNESS = Math.max(1, Number(process.env['TEST_SLOWNESS'] ?? 1));
