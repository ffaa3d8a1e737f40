// Reads microseconds from /proc.
import { readdirSync, readFileSync } from 'node:fs';
import { childrenOf, statOf } from '../../scripts/prerequisites/process-tree.mjs';

/** Includes children that have ended, for example database connections. */
export function cpuTime(pid, { withChildren = false } = {}) {
  if (!withChildren) return threadsTime(pid);
  const [user, system] = statOf(pid)?.slice(13, 15).map(Number) ?? [0, 0];
  return [pid, ...descendantsOf(pid)].reduce((sum, one) => sum + threadsTime(one), (user + system) * 1e4);
}

export function machineTime() {
  const [line] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const [user, nice, system, , , irq, softirq, steal] = line.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softirq + steal) * 1e4; // in hundredths of a second
}

function threadsTime(pid) {
  try {
    const nanoseconds = (task) =>
      Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    return readdirSync(`/proc/${pid}/task`).reduce((sum, task) => sum + nanoseconds(task) / 1e3, 0);
  } catch {
    return 0; // the process has ended
  }
}

const descendantsOf = (pid) => childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);
