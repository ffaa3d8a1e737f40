// Reads microseconds from /proc, which counts hundredths of a second.
import { readFileSync } from 'node:fs';
import { childrenOf, statOf } from '../../scripts/prerequisites/process-tree.mjs';

const sum = (ticks) => ticks.reduce((total, one) => total + Number(one) * 1e4, 0);

/** Includes children, also those that have ended, for example database connections. */
export const cpuTime = (pid) =>
  childrenOf(pid).reduce((total, child) => total + cpuTime(child), sum(statOf(pid)?.slice(11, 15) ?? []));

export function machineTime() {
  const [user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]
    .split(/\s+/)
    .slice(1);
  return sum([user, nice, system, irq, softirq, steal]);
}
