import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the clone. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** An error that a person must fix. It is printed without a stack. */
export class SetupError extends Error {
  name = 'SetupError';
}

export function say(message) {
  process.stderr.write(`${message}\n`);
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a program and returns `{ status, stderr, stdout }` (text only for piped streams). A signal to this process is passed on;
 * when both have ended, the exit status reports that signal.
 */
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

/** Runs the set-up. A SetupError ends the process with its message alone. */
export async function orExplain(work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SetupError)) throw error;
    say(`\n${error.message}`);
    process.exit(1);
  }
}
