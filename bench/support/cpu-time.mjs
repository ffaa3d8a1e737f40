import { childrenOf, statOf } from '../../scripts/prerequisites/process-tree.mjs';

/**
 * Microseconds, from /proc, which counts hundredths of a second. Includes children, also those that have ended, for
 * example database connections.
 */
export const cpuTime = (pid) =>
  (statOf(pid)?.slice(11, 15) ?? [])
    .map((ticks) => Number(ticks) * 1e4)
    .concat(childrenOf(pid).map(cpuTime))
    .reduce((total, one) => total + one, 0);
