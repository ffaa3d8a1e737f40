/**
 * Relative to an idle machine of two cores: `scripts/test.mjs` measures it once as TEST_SLOWNESS. Every limit is
 * multiplied by it.
 */
export const SLOWNESS = Math.max(1, Number(process.env['TEST_SLOWNESS'] ?? 1));
