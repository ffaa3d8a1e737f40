import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A person must fix it, so only the message is printed. */
export class SetupError extends Error {
  name = 'SetupError';
}

export function say(message) {
  process.stderr.write(`${message}\n`);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export function run(command, args, options = {}) {
  const { echo = false, ...spawning } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...spawning });
    let stopped;
    const forward = (signal) => {
      stopped = signal;
      child.kill(signal);
    };
    for (const signal of SIGNALS) process.on(signal, forward);
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr']) {
      child[name]?.setEncoding('utf8').on('data', (text) => {
        output[name] += text;
        if (echo) process[name].write(text);
      });
    }
    const settle = () => {
      for (const signal of SIGNALS) process.off(signal, forward);
      if (stopped) process.exit(stopped === 'SIGINT' ? 130 : stopped === 'SIGHUP' ? 129 : 143);
    };
    child.once('error', (error) => (settle(), reject(error)));
    child.once('close', (code, signal) => (settle(), resolve({ status: code ?? 1, signal, ...output })));
  });
}

export async function orExplain(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`\n${error.message}`);
    process.exit(1);
  }
}
