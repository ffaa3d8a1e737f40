// Runs without a database.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { rpc } from '../../../../testing/chain/json-rpc.ts';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { anvilUrl } from './devnets.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function serveAlone(port = 0): Promise<{ rpcUrl: string; anvil: string; printed: string[] }> {
  const folder = newFolder('devnet');
  const program = fileURLToPath(new URL('../../dist/devnet-main.js', import.meta.url));
  const script = `import(${JSON.stringify(program)}).then((module) => module.main())`;
  const child: ChildProcess = spawn(process.execPath, ['-e', script], {
    cwd: folder,
    env: { PATH: process.env['PATH'], DATA_DIR: folder, DEVNET_PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  cleanups.push(async () => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  });
  const printed: string[] = [];
  child.stderr!.on('data', (chunk: Buffer) => void printed.push(chunk.toString()));
  for await (const line of createInterface(child.stdout!)) {
    printed.push(line);
    if (line.startsWith('relayer')) break;
  }
  const rpcUrl = printed.find((line) => line.startsWith('RPC'))!.split(/\s+/)[1]!;
  const pid = (await readFile(join(folder, 'devnet', 'anvil.pid'), 'utf8')).trim();
  return { rpcUrl, anvil: await anvilUrl(pid), printed };
}

const asWebsite = (url: string, method: string, params: unknown[], contentType = 'application/json') =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': contentType, origin: 'https://website.example' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });

describe('npm run devnet', () => {
  it('allows every website to read and none to write', async () => {
    const { rpcUrl, anvil } = await serveAlone();
    const read = await asWebsite(rpcUrl, 'eth_chainId', []);
    expect(read.headers.get('access-control-allow-origin')).toBe('*');
    expect(await read.json()).toMatchObject({ result: '0x7a69' });
    const preflight = await fetch(rpcUrl, {
      method: 'OPTIONS',
      headers: {
        origin: 'https://website.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'content-type',
      },
    });
    expect(preflight.status).toBeLessThan(300);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type');

    const head = await rpc(anvil, 'eth_blockNumber');
    const rich = ['0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266', '0x0'];
    for (const [method, params] of [
      ['evm_mine', []],
      ['anvil_setBalance', rich],
      ['anvil_dumpState', []],
      ['eth_sendTransaction', [{ from: rich[0], to: rich[0] }]],
    ] as const) {
      const answer = await asWebsite(rpcUrl, method, [...params]);
      expect(await answer.json(), method).toMatchObject({ error: { code: -32601 } });
      // A browser sends such a request without a preflight to any port.
      await asWebsite(anvil, method, [...params], 'text/plain').catch(() => undefined);
    }
    expect(await rpc(anvil, 'eth_blockNumber')).toBe(head);
    expect(await rpc(anvil, 'eth_getBalance', rich[0], 'latest')).not.toBe('0x0');
    const unasked = await asWebsite(anvil, 'eth_chainId', []);
    expect(unasked.headers.get('access-control-allow-origin')).toBeNull();
  });
});
