import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach } from 'vitest';
import type { Devnet } from '../../src/chain/devnet/devnet.ts';
import { devnetChain, startTestDevnet } from '../../../../testing/chain/devnet.ts';
import { request, transact } from './transactions.ts';

export const cleanups: (() => Promise<void>)[] = [];
export function cleanUp(): void {
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
}

export async function start(path: string, more: Parameters<typeof startTestDevnet>[0] = {}): Promise<Devnet> {
  const devnet = await startTestDevnet({ dataDir: path, ...more });
  cleanups.push(() => devnet.stop());
  return devnet;
}
export async function attest(devnet: Devnet) {
  const chain = devnetChain(devnet);
  const receipt = await transact(chain, chain.encodeAttest([request()]));
  return { receipt, uid: receipt.logs[0]!.uid };
}
export const anvilPid = async (path: string) =>
  Number(await readFile(join(path, 'devnet', 'anvil.pid'), 'utf8'));
export async function anvilUrl(pid: number | string): Promise<string> {
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  return `http://127.0.0.1:${command[command.indexOf('--port') + 1]!}`;
}
export const runs = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};
export const identityOf = ({ chainId, genesisHash, contract, schemaUid, relayerPrivateKey }: Devnet) => ({
  chainId,
  genesisHash,
  contract,
  schemaUid,
  relayerPrivateKey,
});

/** Runs `npm run devnet` until it has printed its addresses. */
export async function startAlone(folder: string) {
  const program = fileURLToPath(new URL('../../dist/devnet-main.js', import.meta.url));
  const script = `import(${JSON.stringify(program)}).then((module) => module.main())`;
  const child = spawn(process.execPath, ['-e', script], {
    cwd: folder,
    env: { PATH: process.env['PATH'], DATA_DIR: folder, DEVNET_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  cleanups.push(async () => void (child.kill('SIGTERM'), await ended));
  let rpcUrl = '';
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('RPC')) rpcUrl = line.split(/\s+/)[1]!;
    if (line.startsWith('relayer')) break;
  }
  return { child, rpcUrl };
}
