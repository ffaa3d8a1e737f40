import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { encodeAbiParameters } from 'viem';
import { startDevnet, type Devnet, type DevnetOptions } from '../../src/chain/devnet/devnet.ts';
import { openChainClient, type ChainClientOptions } from '../../src/chain/client.ts';
import { createEasChain, type EasChainOptions } from '../../src/chain/eas.ts';
import type { AttestationRequest, Chain, Hex, Receipt } from '../../src/chain/port.ts';

export async function temporaryDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'svc-chain-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
}

export interface TestLog {
  lines: string[];
  info(message: string): void;
  warn(message: string): void;
}

export function testLog(): TestLog {
  const lines: string[] = [];
  return { lines, info: (message) => void lines.push(message), warn: (message) => void lines.push(message) };
}

export function startTestDevnet(dataDir: string, more: Partial<DevnetOptions> = {}): Promise<Devnet> {
  return startDevnet({ dataDir, port: 0, log: testLog(), ...more });
}

/** The chain by its devnet, or by endpoints of the test's own. */
export function chainOf(
  devnet: Devnet,
  more: Partial<EasChainOptions> & Partial<Omit<ChainClientOptions, 'readUrls'>> = {},
): Chain {
  const { anchoring: rpc } = openChainClient({ urls: [devnet.rpcUrl], chainId: devnet.chainId, ...more });
  return createEasChain({
    name: 'devnet',
    rpc,
    relayerPrivateKey: devnet.relayerPrivateKey,
    contract: devnet.contract,
    schemaUid: devnet.schemaUid,
    confirmations: 1,
    maxFeeGwei: 100,
    minesOnDemand: true,
    ...more,
  });
}

let count = 0;
/** Attestation data with a root of its own. */
export function request(more: Partial<AttestationRequest> = {}): AttestationRequest {
  const root: Hex = `0x${(++count).toString(16).padStart(64, '0')}`;
  const data = encodeAbiParameters(
    [{ type: 'bytes32' }, { type: 'uint8' }, { type: 'uint8' }, { type: 'uint32' }],
    [root, 0, 2, 7],
  );
  return { data, revocable: false, ...more };
}

export async function signNext(chain: Chain, calldata: Hex): Promise<{ raw: Hex; hash: Hex }> {
  const gas = await chain.estimateGas(calldata);
  return chain.sign({ ...(await chain.fees()), nonce: await chain.minedNonce(), calldata, gas });
}

export async function mined(chain: Chain, hash: Hex): Promise<Receipt> {
  return eventually(() => chain.receipt(hash));
}

export async function transact(chain: Chain, calldata: Hex): Promise<Receipt> {
  const { raw, hash } = await signNext(chain, calldata);
  const { outcome } = await chain.send(raw);
  if (outcome !== 'accepted') throw new Error(outcome);
  return mined(chain, hash);
}

/** Asks again until there is an answer; errors count as none yet. */
export async function eventually<T>(ask: () => Promise<T | null | undefined | false>): Promise<T> {
  let last: unknown;
  for (let attempt = 0; attempt < 3_600; attempt++) {
    try {
      const answer = await ask();
      if (answer !== null && answer !== undefined && answer !== false) return answer;
    } catch (error) {
      last = error;
    }
    await sleep(25);
  }
  throw last instanceof Error ? last : new Error('it never came');
}

/** Where an anvil listens, by its command line. */
export async function anvilUrl(pid: number | string): Promise<string> {
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0');
  return `http://127.0.0.1:${command[command.indexOf('--port') + 1]!}`;
}

export async function rpc(url: string, method: string, ...params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result: unknown; error?: { message: string } };
  if (error) throw new Error(error.message);
  return result;
}

interface RpcCall {
  method: string;
  params: unknown[];
}
/** An `error` or a `result` to answer with; `pass` forwards to the real chain; a number is a bare HTTP status. */
export type Fault =
  { result: unknown } | { error: { code: number; message: string } } | 'pass' | 'hang' | number;

export interface FaultyRpc {
  url: string;
  calls: RpcCall[];
  fault: (call: RpcCall, forward: () => Promise<unknown>) => Fault | Promise<Fault>;
  close(): Promise<void>;
}

/** A node between us and the devnet, to be made lie, stall and fail. */
export async function faultyRpc(target: string, fault: FaultyRpc['fault']): Promise<FaultyRpc> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const call = JSON.parse(await read(incoming)) as RpcCall & { id: unknown };
      faulty.calls.push({ method: call.method, params: call.params });
      const forward = () => rpc(target, call.method, ...call.params);
      let answer: object;
      try {
        const fault = await faulty.fault(call, forward);
        if (fault === 'hang') return;
        if (typeof fault === 'number') return void outgoing.writeHead(fault).end('no');
        answer = fault === 'pass' ? { result: await forward() } : fault;
      } catch (error) {
        answer = { error: { code: -32000, message: (error as Error).message } };
      }
      outgoing.setHeader('content-type', 'application/json');
      outgoing.end(JSON.stringify({ jsonrpc: '2.0', id: call.id, ...answer }));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const faulty: FaultyRpc = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    calls: [],
    fault,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return faulty;
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
