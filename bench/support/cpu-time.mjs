// From /proc.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Microseconds of all threads; undefined without /proc. */
export function cpuTime(pid, { withChildren = false } = {}) {
  if (!existsSync('/proc/self/schedstat')) return undefined;
  const pids = withChildren ? [pid, ...descendantsOf(pid)] : [pid];
  return pids.reduce((sum, each) => sum + threadsTime(each), withChildren ? endedChildrenTime(pid) : 0);
}

/** All cores, microseconds. */
export function machineTime() {
  if (!existsSync('/proc/stat')) return undefined;
  const [user, nice, system, , , irq, softirq, steal] = readFileSync('/proc/stat', 'utf8')
    .split('\n', 1)[0]
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) * 1e4; // in hundredths of a second
}

function threadsTime(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce(
      (sum, task) =>
        sum + Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]) / 1e3,
      0,
    );
  } catch {
    return 0; // the process has ended
  }
}

/** CPU time of children that have ended, for example database connections. */
function endedChildrenTime(pid) {
  const [user, system] = statOf(pid)?.slice(13, 15).map(Number) ?? [0, 0];
  return (user + system) * 1e4; // in hundredths of a second
}

/** From the third field on (proc(5)). */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  } catch {
    return undefined;
  }
}

function descendantsOf(pid) {
  const children = readdirSync('/proc').filter(
    (one) => /^\d+$/.test(one) && statOf(one)?.[1] === String(pid),
  );
  return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** Its children serve connections. */
export function postmasterOf({ dataDir }) {
  return Number(readFileSync(join(dataDir, 'postmaster.pid'), 'utf8').split('\n')[0]);
}
