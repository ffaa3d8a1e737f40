import { rpcChain } from '@svc/verifier';
import { LogSpan, postJson, splitCredentials } from '@svc/verifier/requests';
import { expect, test } from 'vitest';
import { startServer, useServer } from '../../../testing/machine/server.ts';
import { receiptVector } from '../../../testing/vectors/receipts.ts';
import { startRpc } from '../../../testing/chain/rpc-server.ts';

const body = { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] };
const post = (url: string, more: object = {}) =>
  postJson({ url, maxBytes: 1_000, ...more }, AbortSignal.timeout(30_000), body);

const seen: (string | undefined)[] = [];
const target = useServer((request, response) => {
  seen.push(request.headers.authorization);
  response.end('{}');
});

test('moves the name and the password of a url into a header', async () => {
  const withPassword = target.url.replace('//', '//reader:p%C3%A4ss%3A@');
  const { url, headers } = splitCredentials(withPassword);
  expect(await post(url.href, { headers })).toMatchObject({ response: { status: 200 }, value: {} });
  await post(target.url, splitCredentials(target.url));
  expect(seen.splice(0)).toEqual([`Basic ${Buffer.from('reader:päss:').toString('base64')}`, undefined]);
});

test('follows a redirect only for a caller that trusts the host', async () => {
  const redirecting = await startServer((_, response) =>
    response.writeHead(307, { location: target.url }).end(),
  );
  try {
    expect((await post(redirecting.url)).response.status).toBe(307);
    expect(seen.splice(0)).toEqual([]);
    expect((await post(redirecting.url, { redirect: 'follow' })).response.status).toBe(200);
  } finally {
    await redirecting.stop();
  }
});

test('a reader compares the chain id of an endpoint once, and again for a different chain', async () => {
  const { chain, receipt } = receiptVector('valid/receipt-instant');
  const rpc = await startRpc(chain);
  try {
    const reader = rpcChain({ urls: [rpc.url] });
    const read = (chainId: number) =>
      reader.attestation(receipt.chain.attestation_contract, receipt.chain.attestation_uid!, chainId);
    for (const requests of [2, 3]) {
      expect(await read(chain.chain_id)).toMatchObject({ kind: 'read' });
      expect(rpc.requests).toBe(requests);
    }
    expect(await read(1)).toMatchObject({
      kind: 'unreachable',
      reason: 'the endpoint is of chain 31337, not 1',
    });
  } finally {
    await rpc.close();
  }
});

test('a span shrinks to one block, and grows to the common limit after many accepted ranges', () => {
  const span = new LogSpan(100_000);
  const spans = [span.blocks];
  while (span.rejected(span.blocks)) spans.push(span.blocks);
  expect(spans).toEqual([100_000, 10_000, 5_000, 2_500, 1_250, 625, 313, 157, 79, 40, 20, 10, 5, 3, 2, 1]);
  for (let range = 0; range < 32 * 20; range++) span.accepted();
  expect(span.blocks).toBe(10_000);
});
