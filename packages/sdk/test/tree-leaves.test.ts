import { ROUTES } from '@svc/contract';
import { LEAVES_TYPE, packLeaves } from '@svc/protocol';
import { createClient } from '@svc/sdk';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { breakOff, json, refuse, startFaultServer } from '../../../testing/clients/fault-server.ts';
import type { Fate, FaultServer } from '../../../testing/clients/fault-server.ts';

let server: FaultServer;
beforeEach(async () => {
  server = await startFaultServer();
});
afterEach(() => server.close());

const { batch } = ROUTES.getBatch.success.example;
const packed = packLeaves(2, batch.leaves);
const leaves = (retry = {}) =>
  createClient({ baseUrl: server.url, retry: { attempts: 1, ...retry } }).treeLeaves(batch.root, 0, 2);
const bytes =
  (body: Uint8Array, headers: Record<string, string | number> = {}): Fate =>
  (response) => {
    response.writeHead(200, { 'content-type': LEAVES_TYPE, ...headers });
    response.end(body);
  };

test('requests leaves as bytes, and reads bytes or the JSON of an older service', async () => {
  for (const fate of [bytes(packed), json(200, { batch })]) {
    server.fates = [fate];
    expect(Buffer.from(await leaves())).toEqual(Buffer.from(packed));
  }
  expect(server.seen[0]!.headers.accept).toBe(`${LEAVES_TYPE}, application/json;q=0.5`);
  expect(server.seen[0]!.path).toBe(`/api/v1/batches/${batch.root}?kind=0`);
});

test('retries a truncated answer, and reports a rejected request', async () => {
  const cut: Fate = (response) => {
    response.writeHead(200, { 'content-type': LEAVES_TYPE, 'content-length': packed.length });
    response.write(packed.subarray(0, 48));
    setTimeout(() => response.destroy(), 20);
  };
  server.fates = [cut, breakOff, refuse(503, 'service_unavailable', { 'retry-after': '0' }), bytes(packed)];
  expect(await leaves({ attempts: 4 })).toHaveLength(96);
  server.fates = [refuse(404, 'not_found')];
  await expect(leaves()).rejects.toMatchObject({ name: 'ApiError', status: 404, code: 'not_found' });
});

test('rejects an answer larger than a tree without reading it whole', async () => {
  server.fates = [bytes(packed.subarray(0, 95))];
  await expect(leaves()).rejects.toThrow(RangeError);
  server.fates = [bytes(new Uint8Array(48 * 10_000 + 1))];
  await expect(leaves()).rejects.toMatchObject({
    code: 'unexpected',
    message: expect.stringMatching(/longer than any/) as string,
  });
  for (const wrong of [[{ hash: 'x' }], [null], [7], Array(10_001).fill(batch.leaves[0])]) {
    server.fates = [json(200, { batch: { ...batch, leaves: wrong } })];
    await expect(leaves(), JSON.stringify(wrong).slice(0, 40)).rejects.toThrow(RangeError);
  }
  server.fates = [json(200, { batch: { ...batch, leaves: 'none' } })];
  await expect(leaves()).rejects.toMatchObject({ code: 'unexpected' });
});
