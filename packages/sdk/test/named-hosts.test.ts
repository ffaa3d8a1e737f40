import { createClient } from '@svc/sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer } from '../../../testing/machine/server.ts';
import { receiptVector } from '../../../testing/vectors/receipts.ts';

const { receipt, trust } = receiptVector('valid/receipt-instant');
const paths: string[] = [];
let rpcUrl: string;
let server: Awaited<ReturnType<typeof startServer>>;
let other: typeof server;
beforeEach(async () => {
  paths.length = 0;
  other = await startServer((request, response) => {
    paths.push(request.url!);
    response.end('{}');
  });
  server = await startServer(({ url }, response) => {
    if (url === '/away') response.writeHead(302, { location: `${other.url}/admin` }).end();
    else if (url === '/near') response.writeHead(302, { location: '/here' }).end();
    else if (url === '/again') response.writeHead(302, { location: '/again' }).end();
    else if (url === '/.well-known/svc.json')
      response.end(JSON.stringify({ chain: { ...chain, rpc_url: rpcUrl } }));
    else response.end(JSON.stringify({ url }));
  });
});
afterEach(() => Promise.all([server.stop(), other.stop()]));
const chain = {
  chain_id: trust.chain_id,
  attestation_contract: trust.contract,
  schema_uid: trust.schema_uid,
  relayers: trust.relayers,
};
const client = (origin = server.url) => createClient({ baseUrl: origin, retry: { attempts: 1 } });

test('a document may redirect on its origin, and nowhere else', async () => {
  expect(await client().document('/near')).toEqual({ url: '/here' });
  await expect(client().document('/away')).rejects.toMatchObject({
    cause: { message: `it redirects to ${other.url}` },
  });
  await expect(client().document('/again')).rejects.toThrow();
  expect(paths).toEqual([]);
});

test('a service on another host names no endpoint of this machine', async () => {
  const away = `http://0.0.0.0:${server.port}`;
  for (const url of [
    `${other.url}/admin`,
    'http://10.0.0.1/',
    'https://10.0.0.1/',
    'https://[fd00::1]/',
    'https://localhost/',
    'http://rpc.example/',
  ]) {
    rpcUrl = url;
    await expect(client(away).verify(receipt), url).rejects.toThrow('give rpcUrls');
  }
  expect(paths).toEqual([]);
  for (const url of [`http://0.0.0.0:${other.port}/rpc`, `${other.url}/rpc`]) {
    rpcUrl = url;
    const { verification } = await client(url.startsWith('http://0') ? away : server.url).verify(receipt);
    expect(verification.checks[2]).toMatchObject({ verdict: 'wait' });
  }
  expect(paths.length).toBeGreaterThan(0);
});
