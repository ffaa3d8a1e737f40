import { createHash } from 'node:crypto';
import { LEAVES_TYPE, packLeaves } from '@svc/protocol';
import { rebuildFault } from '@svc/verifier';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { useService } from '../../../../testing/service/service.ts';
import { prefersLeaves } from '../../src/http/routes/records.ts';

const service = useService({ chain: true });
let root: string;

beforeAll(async () => {
  const [ada, ben] = await service.agents(2);
  const [first] = await Promise.all([ada, ben, ada, ben, ada].map((author) => service.etch(author)));
  await service.anchor();
  root = (await service.read(first!.id)).chain.root;
});

const ask = (headers: Record<string, string>, path = `/api/v1/batches/${root}`) =>
  fetch(service.baseUrl + path, { headers });
/** Splits a tree of five leaves, which must be in the order of their hashes. */
function leavesOf(bytes: Buffer, size: number): string[] {
  const leaves = Array.from({ length: 5 }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
  const hashes = leaves.map((parts) => createHash('sha256').update('\0').update(parts).digest('hex'));
  expect(hashes).toEqual([...hashes].sort());
  return leaves.map((leaf) => leaf.toString('hex')).sort();
}

test('sends a tree’s leaves as bytes equal to the JSON, in tree order, with a tag per format', async () => {
  const json = await ask({ accept: 'application/json' });
  const { batch } = (await json.json()) as { batch: { leaves: { user_id: string; hash: string }[] } };
  const packed = await ask({ accept: LEAVES_TYPE, 'accept-encoding': 'gzip' });
  const bytes = Buffer.from(await packed.arrayBuffer());
  expect([packed.status, packed.headers.get('content-type')]).toEqual([200, LEAVES_TYPE]);
  expect(packed.headers.get('content-length')).toBe(String(5 * 48));
  const ofJson = batch.leaves.map((leaf) => Buffer.from(packLeaves(2, [leaf])).toString('hex'));
  expect(leavesOf(bytes, 48)).toEqual(ofJson.sort());
  expect(rebuildFault({ root, treeVersion: 2, treeSize: 5 }, bytes)).toBeNull();

  const tags = [json, packed].map(({ headers }) => headers.get('etag')!);
  expect(new Set(tags).size).toBe(2);
  for (const [at, accept] of ['application/json', LEAVES_TYPE].entries())
    for (const [other, tag] of tags.entries())
      expect((await ask({ accept, 'if-none-match': tag })).status).toBe(at === other ? 304 : 200);
  for (const { headers } of [json, packed]) {
    expect(headers.get('vary')).toMatch(/\bAccept\b(?!-)/);
    expect(headers.get('cache-control')).toBe('no-cache');
  }
  const missing = await ask({ accept: LEAVES_TYPE }, `/api/v1/batches/${'00'.repeat(32)}`);
  expect(missing.status).toBe(404);
  expect(missing.headers.get('content-type')).toBe('application/json; charset=utf-8');
});

test('sends only the hashes for tree version 1', async () => {
  await service.db.query(sql`update batch set tree_version = 1`);
  const bytes = Buffer.from(await (await ask({ accept: LEAVES_TYPE })).arrayBuffer());
  const { batch } = (await (await ask({})).json()) as { batch: { leaves: { hash: string }[] } };
  expect(leavesOf(bytes, 32)).toEqual(batch.leaves.map(({ hash }) => hash).sort());
});

test.each([
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/html', false],
  [LEAVES_TYPE, true],
  [`${LEAVES_TYPE}, application/json;q=0.5`, true],
  [`application/json, ${LEAVES_TYPE.toUpperCase()}`, true],
  [`${LEAVES_TYPE};q=0.2, application/json`, false],
  [`${LEAVES_TYPE};q=0`, false],
  [`${LEAVES_TYPE};q=x`, false],
  [`${LEAVES_TYPE}.more`, false],
])('decides for Accept "%s" whether to send bytes: %s', (accept, given) => {
  expect(prefersLeaves(accept)).toBe(given);
});
