import { spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const CACHE = join(ROOT, '.cache');

export const readJson = (path) => JSON.parse(readFileSync(resolve(ROOT, path), 'utf8'));

/** A person must fix it, so only the message is printed. */
export class SetupError extends Error {
  name = 'SetupError';
}

export function say(message) {
  process.stderr.write(`${message}\n`);
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

/** The exit statuses of a process that a signal ended. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
    let stopped;
    const forward = (signal) => {
      stopped = signal;
      child.kill(signal);
    };
    for (const signal of Object.keys(SIGNALS)) process.on(signal, forward);
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'])
      child[name]?.setEncoding('utf8').on('data', (text) => (output[name] += text));
    const settle = () => {
      for (const signal of Object.keys(SIGNALS)) process.off(signal, forward);
      if (stopped) process.exit(SIGNALS[stopped]);
    };
    child.once('error', (error) => (settle(), reject(error)));
    child.once('close', (code) => (settle(), resolve({ status: code ?? 1, ...output })));
  });
}

/** @returns the trimmed standard output. @throws SetupError with all output if the program fails or does not exist */
export async function call(command, args, options) {
  const piped = { stdio: ['ignore', 'pipe', 'pipe'], ...options };
  const { status, stdout, stderr } = await run(command, args, piped).catch((error) => {
    throw new SetupError(`${command} did not start: ${error.message}`);
  });
  if (status !== 0) throw new SetupError(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout.trim();
}

/** Returns undefined if the program fails or does not exist. */
export const outputOf = (command, args, cwd = '/') => call(command, args, { cwd }).catch(() => undefined);

const QUIET = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier'];

/** Prints to standard error. @throws SetupError that names `what` */
export async function npm(args, { what, cwd }) {
  const { npm_execpath: running } = process.env;
  const [command, ...first] = running?.endsWith('npm-cli.js') ? [process.execPath, running] : ['npm'];
  const cache = hasNpmCache() ? undefined : join(CACHE, 'npm');
  const all = [...first, ...args, ...(cache ? ['--cache', cache] : []), ...QUIET];
  const { status } = await run(command, all, {
    cwd,
    stdio: ['ignore', process.stderr.fd, 'inherit'],
  }).catch((error) => {
    throw new SetupError(`${what}: npm did not start (${error.message}). Install Node.js with npm.`);
  });
  if (cache) rmSync(cache, { recursive: true, force: true });
  if (status === 0) return;
  throw new SetupError(
    `${what}: npm failed for the reason that it names above.\n` +
      'Check the network, the proxy (HTTPS_PROXY) and the registry (npm config get registry), then run this again.',
  );
}

/** Returns false for a user without a writable home. */
function hasNpmCache() {
  try {
    const folder = join(process.env.npm_config_cache ?? join(homedir(), '.npm'), '_cacache', 'tmp');
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
