import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { createPublicClient, createWalletClient, defineChain, http, parseEventLogs } from 'viem';
import type { Abi, Hex } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { eventually } from '../../../../testing/wait.ts';

const require = createRequire(import.meta.url);

export interface RealEas {
  url: string;
  chainId: number;
  contract: Hex;
  schemaUid: Hex;
  relayer: Hex;
  attest(data: Hex, revocable: boolean): Promise<{ uid: Hex; time: number }>;
  /** @returns the block's time, seconds */
  revoke(uid: Hex): Promise<number>;
  stop(): Promise<void>;
}

function artifact(name: string): { abi: Abi; bytecode: Hex } {
  return require(
    `@ethereum-attestation-service/eas-contracts/artifacts/contracts/${name}.sol/${name}.json`,
  ) as never;
}

async function startAnvil(): Promise<{ url: string; stop: () => Promise<void> }> {
  const wrapper = require.resolve('@foundry-rs/anvil/package.json');
  const platformPackage = `@foundry-rs/anvil-${platform()}-${arch() === 'x64' ? 'amd64' : arch()}/package.json`;
  const binary = join(dirname(createRequire(wrapper).resolve(platformPackage)), 'bin', 'anvil');
  const child = spawn(binary, ['--port', '0', '--host', '127.0.0.1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = () => {
    child.kill('SIGKILL');
    return exited;
  };
  for await (const line of createInterface({ input: child.stdout })) {
    const found = /Listening on (127\.0\.0\.1:\d+)/.exec(line);
    if (found === null) continue;
    child.stdout.resume();
    return { url: `http://${found[1]}`, stop };
  }
  throw new Error('anvil ended before it listened');
}

export async function startRealEas(schema: string): Promise<RealEas> {
  const { url, stop } = await startAnvil();
  const chain = defineChain({
    id: 31_337,
    name: 'test',
    nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
    rpcUrls: { default: { http: [url] } },
  });
  const reader = createPublicClient({ chain, transport: http(url), pollingInterval: 20 });
  const account = privateKeyToAccount(generatePrivateKey());
  await reader.request({
    method: 'anvil_setBalance' as never,
    params: [account.address, '0x56bc75e2d63100000'] as never,
  });
  const wallet = createWalletClient({ account, chain, transport: http(url) });
  const mined = async (hash: Hex) => {
    // Polls, because waiting for the next block can miss a block that arrives during the check.
    const receipt = await eventually(
      'the transaction is in a block',
      () => reader.getTransactionReceipt({ hash }).catch(() => undefined),
      { everyMs: 20 },
    );
    const block = await reader.getBlock({ blockNumber: receipt.blockNumber });
    return { receipt, time: Number(block.timestamp) };
  };
  const deploy = async (name: string, args: unknown[]) => {
    const { abi, bytecode } = artifact(name);
    const { receipt } = await mined(await wallet.deployContract({ abi, bytecode, args }));
    return receipt.contractAddress!;
  };
  const write = async (address: Hex, name: string, functionName: string, args: unknown[]) =>
    mined(await wallet.writeContract({ address, abi: artifact(name).abi, functionName, args }));

  const registry = await deploy('SchemaRegistry', []);
  const contract = await deploy('EAS', [registry]);
  const zero = `0x${'0'.repeat(40)}`;
  const registered = await write(registry, 'SchemaRegistry', 'register', [schema, zero, true]);
  const { abi } = artifact('SchemaRegistry');
  const [log] = parseEventLogs({ abi, logs: registered.receipt.logs, eventName: 'Registered' });
  const schemaUid = (log as unknown as { args: { uid: Hex } }).args.uid;

  return {
    url,
    chainId: chain.id,
    contract,
    schemaUid,
    relayer: account.address,
    stop,
    async attest(data, revocable) {
      const request = {
        recipient: zero,
        expirationTime: 0n,
        revocable,
        refUID: `0x${'0'.repeat(64)}`,
        data,
        value: 0n,
      };
      const { receipt, time } = await write(contract, 'EAS', 'attest', [
        { schema: schemaUid, data: request },
      ]);
      const [attested] = parseEventLogs({
        abi: artifact('EAS').abi,
        logs: receipt.logs,
        eventName: 'Attested',
      });
      return { uid: (attested as unknown as { args: { uid: Hex } }).args.uid, time };
    },
    async revoke(uid) {
      const request = { schema: schemaUid, data: { uid, value: 0n } };
      return (await write(contract, 'EAS', 'revoke', [request])).time;
    },
  };
}
