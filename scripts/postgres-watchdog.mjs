// Ends a PostgreSQL and removes its files when standard input closes, because its starter has ended. Input lines: `pid
// N` (0: none), `done`.
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRunning } from './process-tree.mjs';

const [, , folder] = process.argv;
let received = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (text) => (received += text));
process.stdin.on('error', finish);
process.stdin.on('end', finish);

async function finish() {
  process.stdin.removeAllListeners();
  const lines = received.split('\n').filter(Boolean);
  if (lines.includes('done')) return;
  const pid = Number(lines.findLast((line) => line.startsWith('pid '))?.slice(4) ?? 0);
  if (pid > 0) {
    send(pid, 'SIGQUIT');
    for (let waited = 0; waited < 5_000 && isRunning(pid); waited += 50) await sleep(50);
    send(pid, 'SIGKILL');
  }
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // ended already
  }
}
