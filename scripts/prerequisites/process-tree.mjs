import { execFileSync, spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Kills a process with its children, and waits until they have ended. */
export async function killFamily(pid) {
  // A stopped process can neither start others nor clean up.
  const family = freezeFamily(pid);
  for (const one of family.toReversed()) send(one, 'SIGKILL');
  for (let waited = 0; family.some(isRunning) && waited < 5_000; waited += 10) await sleep(10);
}

export function freezeFamily(pid) {
  send(pid, 'SIGSTOP');
  const family = [...childrenOf(pid), pid];
  for (const one of family) send(one, 'SIGSTOP');
  return family;
}

/** A zombie counts as ended. */
export function isRunning(pid) {
  return process.platform === 'linux' ? !['Z', 'X', undefined].includes(statOf(pid)?.[0]) : send(pid, 0);
}

/** Returns false if the process has ended. */
function send(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

export function childrenOf(parent) {
  if (process.platform !== 'linux') {
    return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .flatMap(([pid, ppid]) => (ppid === parent ? [pid] : []));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(statOf(pid)?.[1]) === parent);
}

/** Returns the fields of /proc/N/stat from the third on; the name before them may contain anything. */
export function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}

/**
 * Starts a shell script whose input closes when this process ends, even by SIGKILL.
 * @returns sends the script a line
 */
export function afterThisProcess(script, ...args) {
  const stdio = ['pipe', 'ignore', 'ignore'];
  const child = spawn('sh', ['-c', script, ...args], { detached: true, cwd: '/', stdio });
  child.stdin.on('error', () => {});
  child.stdin.unref?.();
  child.unref();
  return () => void child.stdin.end('done\n');
}
