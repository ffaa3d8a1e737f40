import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { kill } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { createServer } from 'node:net';
import { readIfPresent, writeDurably } from '../../db/files.ts';
import type { DevnetFiles } from './files.ts';
import { callOnce } from '../json-rpc.ts';
import {
  anvilArguments,
  type Call,
  devnetCall,
  ensureContracts,
  type Genesis,
  genesisArguments,
  startMining,
} from './chain-setup.ts';
import type { Hex } from '../port.ts';

export class AnvilFailed extends Error {
  override name = 'AnvilFailed';
}

export interface Anvil {
  readonly port: number;
  readonly exited: Promise<void>;
  readonly isRunning: () => boolean;
  kill(): Promise<void>;
}

/**
 * If this process ends, its end of the pipe closes and the guard ends anvil. If anvil ends first, the guard ends
 * too.
 */
const GUARD = `
exec 3<&0 </dev/null
"$@" 3<&- >/dev/null &
anvil=$!
echo "$anvil"
( read -r _ <&3; kill -9 "$anvil" ) >/dev/null 2>&1 &
watcher=$!
exec 3<&-
wait "$anvil"
code=$?
kill -9 "$watcher" 2>/dev/null
wait "$watcher" 2>/dev/null
exit "$code"
`;
const START_LIMIT_MS = 60_000;

/** The wrapper's install script does not run everywhere. */
export function findAnvil(): string {
  const name = `@foundry-rs/anvil-${platform()}-${arch() === 'x64' ? 'amd64' : arch()}`;
  try {
    const wrapper = createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json');
    const manifest = createRequire(wrapper).resolve(`${name}/package.json`);
    return join(dirname(manifest), 'bin', platform() === 'win32' ? 'anvil.exe' : 'anvil');
  } catch {
    throw new Error(`${name} is not installed: install optional dependencies too, or set CHAIN_RPC_URL`);
  }
}

export async function runAnvil(files: DevnetFiles, port: number, args: readonly string[]): Promise<Anvil> {
  // `endOrphan` finds our directory in the process list.
  const command = [findAnvil(), '--host', '127.0.0.1', '--port', String(port), '--quiet'];
  command.push('--cache-path', files.directory, ...args);
  // The terminal's interrupt must not reach anvil before its state is saved. The empty environment passes no
  // secrets.
  const guarded = platform() !== 'win32';
  const child = guarded
    ? spawn('/bin/sh', ['-c', GUARD, 'sh', ...command], { stdio: 'pipe', detached: true, env: {} })
    : spawn(command[0]!, command.slice(1), { stdio: 'pipe' });
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output = (output + chunk.toString()).slice(-2_000)));
  child.stdout.on('data', (chunk: Buffer) => {
    if (guarded) recorded = writeDurably(files.pid, chunk.toString().trim());
  });
  child.stdin.on('error', () => undefined);
  let recorded: Promise<void> = Promise.resolve();
  let running = true;
  const exited = new Promise<void>((resolve) => {
    const end = () => {
      running = false;
      endGroup(child); // the guard may have been killed
      resolve();
    };
    child.once('exit', end);
    child.once('error', (error) => ((output += error.message), end()));
  });
  const anvil: Anvil = {
    port,
    exited,
    isRunning: () => running,
    async kill() {
      child.stdin.destroy();
      if (!guarded) child.kill('SIGKILL');
      const impatience = setTimeout(() => endGroup(child), 2_000);
      await exited;
      clearTimeout(impatience);
      await recorded.catch(() => undefined);
      await rm(files.pid, { force: true });
    },
  };
  const deadline = performance.now() + START_LIMIT_MS;
  while (running && performance.now() < deadline) {
    const up = await callOnce(`http://127.0.0.1:${port}`, 'eth_chainId', [], {
      timeoutMs: 1_000,
      maxBytes: 10_000,
    }).then(
      () => true,
      () => false,
    );
    // A different program may have taken the port.
    await sleep(up ? 5 : 15);
    if (up && running) {
      await recorded;
      return anvil;
    }
  }
  await anvil.kill();
  throw new AnvilFailed(output.trim() || 'anvil did not start');
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    kill(platform() === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // No process is left.
  }
}

/** Ends the anvil of a killed service. The caller has locked the directory. */
export async function endOrphan(files: DevnetFiles): Promise<boolean> {
  const pid = Number(await readIfPresent(files.pid));
  await rm(files.pid, { force: true });
  if (!Number.isSafeInteger(pid) || pid <= 1) return false;
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const words = command.split('\0');
  if (!words[0]?.includes('anvil') || !words.includes(files.directory)) return false;
  try {
    kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
  for (let waited = 0; waited < 100 && (await isAlive(pid)); waited++) await sleep(20);
  return true;
}

async function isAlive(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return status !== '' && !/\) Z /.test(status);
}

export async function orKill<T>(anvil: Anvil, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    await anvil.kill();
    throw error;
  }
}

export async function freePort(host: string, preferred = 0): Promise<number> {
  try {
    return await listenOn(host, preferred);
  } catch (error) {
    if (preferred === 0) throw error;
    return listenOn(host, 0);
  }
}

function listenOn(host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

export interface NewChainOptions {
  historyStates: number;
  genesis: Genesis;
  relayerKey: Hex;
  begin?: (call: Call) => Promise<void>;
}

export async function startNewChain(
  files: DevnetFiles,
  port: number,
  { historyStates, genesis, relayerKey, begin = startMining }: NewChainOptions,
): Promise<{ anvil: Anvil; call: Call }> {
  const anvil = await runAnvil(files, port, [...anvilArguments(historyStates), ...genesisArguments(genesis)]);
  return orKill(anvil, async () => {
    const call = devnetCall(port);
    await begin(call);
    if (!(await ensureContracts(call, relayerKey)))
      throw new Error('the attestation contracts cannot be deployed');
    return { anvil, call };
  });
}
