/**
 * How many times slower this machine is now than an idle one of two cores. `scripts/test.mjs` measures it once, at the start of a run, and
 * passes it on as TEST_SLOWNESS; without it the machine counts as idle. Every limit in a test is multiplied by it.
 */
export const SLOWNESS = Math.max(1, Number(process.env['TEST_SLOWNESS'] ?? 1));
