import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Devnet } from '../../src/chain/devnet/devnet.ts';
import { chainOf, request, startTestDevnet, temporaryDirectory, transact } from './support.ts';

export const cleanups: (() => Promise<void>)[] = [];
/** What a test of this file started is stopped after it. */
export function cleanUp(): void {
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  });
}

export async function dataDir(): Promise<string> {
  const directory = await temporaryDirectory();
  cleanups.push(() => directory.remove());
  return directory.path;
}
export async function start(path: string, more: Parameters<typeof startTestDevnet>[1] = {}): Promise<Devnet> {
  const devnet = await startTestDevnet(path, more);
  cleanups.push(() => devnet.stop());
  return devnet;
}
export async function attest(devnet: Devnet) {
  const chain = chainOf(devnet);
  const receipt = await transact(chain, chain.encodeAttest([request()]));
  return { receipt, uid: receipt.logs[0]!.uid };
}
export const anvilPid = async (path: string) =>
  Number(await readFile(join(path, 'devnet', 'anvil.pid'), 'utf8'));
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
