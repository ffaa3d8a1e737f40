// Runs without a database.
import { expect, it } from 'vitest';
import { rpc } from '../../../../testing/chain/json-rpc.ts';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { anvilPid, anvilUrl, cleanUp, startAlone } from './devnets.ts';

cleanUp();

const asWebsite = (url: string, method: string, params: unknown[], contentType = 'application/json') =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': contentType, origin: 'https://website.example' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });

it('npm run devnet allows every website to read and none to write', async () => {
  const path = newFolder('devnet');
  const { rpcUrl } = await startAlone(path);
  const anvil = await anvilUrl(await anvilPid(path));
  const read = await asWebsite(rpcUrl, 'eth_chainId', []);
  expect(read.headers.get('access-control-allow-origin')).toBe('*');
  expect(await read.json()).toMatchObject({ result: '0x7a69' });
  const preflight = await fetch(rpcUrl, {
    method: 'OPTIONS',
    headers: {
      ...{ origin: 'https://website.example', 'access-control-request-method': 'POST' },
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
