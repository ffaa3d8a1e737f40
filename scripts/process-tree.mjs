import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

export async function whenGone(child, milliseconds) {
  for (let waited = 0; child.exitCode === null && child.signalCode === null; waited += 20) {
    if (waited >= milliseconds) return false;
    await sleep(20);
  }
  return true;
}

export async function killTree(child) {
  await killFamily(child.pid);
  await whenGone(child, 5_000);
}

export async function killFamily(pid) {
  // A stopped process can neither start others nor clean up.
  send(pid, 'SIGSTOP');
  const family = [...childrenOf(pid), pid];
  for (const one of family.toReversed()) send(one, 'SIGKILL');
  for (let waited = 0; family.some(isRunning) && waited < 5_000; waited += 10) await sleep(10);
}

export function freezeTree(child) {
  send(child.pid, 'SIGSTOP');
  for (const pid of childrenOf(child.pid)) send(pid, 'SIGSTOP');
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

function childrenOf(parent) {
  if (process.platform !== 'linux') {
    return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
      .split('\n')
      .map((line) => line.trim().split(/\s+/).map(Number))
      .flatMap(([pid, ppid]) => (ppid === parent ? [pid] : []));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(stat(pid)?.[1]) === parent);
}

/** A zombie counts as ended. */
export function isRunning(pid) {
  if (process.platform === 'linux') return !['Z', 'X', undefined].includes(stat(pid)?.[0]);
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Reads /proc/N/stat, where the name in parentheses may contain anything. */
function stat(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return undefined;
  }
}
