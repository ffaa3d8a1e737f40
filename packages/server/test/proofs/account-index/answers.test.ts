// Runs on both databases.
import { decodeAttestationData, foldPackedLeaves } from '@svc/protocol';
import {
  AccountIndex,
  checkIndexAnswers,
  type IndexAnswer,
  parseIndexAnswer,
  readIndexData,
  run,
} from '@svc/protocol/account-index';
import { isSignedBy, parseCheckpoint, parseVerifierKey } from '@svc/protocol/tlog';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { makeEtches } from '../../../../../testing/anchoring/etches.ts';
import type { TestAgent } from '../../../../../testing/clients/agents.ts';
import { auditIndex } from '../../../../../testing/log/index-of-log.ts';
import { useService } from '../../../../../testing/service/service.ts';

const service = useService({ chain: true });
const STRANGER = '00000000-0000-4000-8000-000000000001';
let author: TestAgent;
let userId: string;
beforeAll(async () => {
  author = await service.registerAgent();
  ({ userId } = author);
});

const get = (id: string, query = '') => service.get(`/log/index/${id}${query}`);
async function answer(id: string, query = ''): Promise<IndexAnswer> {
  const { status, body } = await get(id, query);
  expect(status, JSON.stringify(body)).toBe(200);
  const found = parseIndexAnswer(body);
  const { body: info } = await service.get('/.well-known/svc.json');
  expect(isSignedBy(found.checkpoint, info.log.keys.map(parseVerifierKey))).toBe(true);
  return found;
}
async function check(id: string) {
  const first = await answer(id);
  return checkIndexAnswers([first], { userId: id, checkpoint: first.checkpoint });
}
const hashesOf = ({ entries }: { entries: { hash: Uint8Array; kind: number }[] }) =>
  entries.map(({ hash, kind }) => `${kind} ${Buffer.from(hash).toString('hex')}`).toSorted();
async function publish(): Promise<void> {
  await service.anchor();
  await service.runTask('log of trees');
}

test('returns 404 before the first index, and for a malformed id', async () => {
  expect(await get(userId)).toMatchObject({
    status: 404,
    body: { error: { message: 'the log has no checkpoint yet' } },
  });
  for (const id of ['x', userId.toUpperCase(), `${userId}0`]) {
    const { status, body } = await get(id);
    expect(status).toBe(404);
    expect(body.error.message).toContain('uuid');
  }
});

test('proves the entries of an account, and that another has none', async () => {
  const etches = [await service.etch(author), await service.etch(author)];
  await publish();
  const found = await check(userId);
  expect(hashesOf(found)).toEqual(etches.map(({ hash }) => `0 ${hash}`).toSorted());
  expect(await check(STRANGER)).toMatchObject({ count: 0, entries: [] });
  const { headers } = await get(userId);
  expect(headers.get('cache-control')).toBe('no-cache');
  expect(headers.get('access-control-allow-origin')).toBe('*');
  const etag = headers.get('etag')!;
  const known = { headers: { 'if-none-match': etag } };
  expect((await service.get(`/log/index/${userId}`, known)).status).toBe(304);
});

test('a retraction is an entry of its own, and a reader who kept peaks reads only what is new', async () => {
  const before = await check(userId);
  const etch = await service.etch(author);
  await publish();
  await service.retract(author, etch.id);
  await publish();
  const page = await answer(userId, `?from=${before.count}`);
  const of = { userId, checkpoint: page.checkpoint, kept: before };
  const found = checkIndexAnswers([page], of);
  expect(hashesOf(found)).toEqual([`0 ${etch.hash}`, `1 ${etch.hash}`]);
  expect(found.peaks).toEqual((await check(userId)).peaks);
  const nothingNew = await answer(userId, `?from=${found.count}`);
  expect(checkIndexAnswers([nothingNew], { ...of, kept: found })).toMatchObject({ entries: [] });
});

test.each([
  ['from=-1', 'must be a number'],
  ['from=x', 'must be a number'],
  ['from=01', 'must be a number'],
  ['from=1&from=2', 'must be a number'],
  ['from=1000', 'beyond the end'],
])('rejects %s', async (query, message) => {
  const { status, body } = await get(userId, `?${query}`);
  expect(status).toBe(400);
  expect(body.error.message).toContain(message);
  expect(body.error.details[0].path).toBe('from');
});

test('pages the entries of a large account', async () => {
  const [etch] = await makeEtches(service.db, 2_300);
  const id = etch!.userId;
  await publish();
  const pages = [await answer(id), await answer(id, '?from=1000'), await answer(id, '?from=2000')];
  expect(pages.map(({ entries, more }) => [entries.length, more])).toEqual([
    [1_000, true],
    [1_000, true],
    [300, false],
  ]);
  const found = checkIndexAnswers(pages, { userId: id, checkpoint: pages[0]!.checkpoint });
  expect(found.count).toBe(2_300);
});

test('an etch in a tree of version 1 or without a tree is not covered', async () => {
  const before = await check(userId);
  for (const scheme of ['tree-v1', 'single'] as const) {
    await service.etch(author);
    await service.anchor(scheme);
    await service.runTask('log of trees');
  }
  const versions = await service.db.column<Buffer>(sql`
    select data from log_entry where get_byte(data, 63) < 2 order by index desc limit 2`);
  expect(versions.map((data) => decodeAttestationData(data).treeVersion)).toEqual([0, 1]);
  const after = await check(userId);
  expect(after.covered).toBe(before.covered + 4);
  expect(after.count).toBe(before.count);
});

test('serves the leaves of a tree by its log index, which recompute every index entry', async () => {
  const { size } = parseCheckpoint((await service.get('/log/checkpoint')).text);
  const tile = await fetch(`${service.baseUrl}/log/tile/entries/000.p/${size}`);
  const entries = Buffer.from(await tile.arrayBuffer());
  const index = new AccountIndex();
  for (let logIndex = 0; logIndex < size; logIndex++) {
    const data = entries.subarray(130 * logIndex + 2, 130 * logIndex + 130);
    const found = readIndexData(data);
    const { kind, treeVersion } = found === null ? decodeAttestationData(data) : { kind: 0, treeVersion: 0 };
    const response = await fetch(`${service.baseUrl}/log/leaves/${logIndex}`);
    expect(response.status).toBe(treeVersion === 2 ? 200 : 404);
    if (found !== null) expect(Buffer.from(found.root)).toEqual(Buffer.from(run(index.root())));
    if (treeVersion !== 2) continue;
    expect(response.headers.get('cache-control')).toContain('immutable');
    const packed = new Uint8Array(await response.arrayBuffer());
    expect(Buffer.from(foldPackedLeaves(2, packed))).toEqual(Buffer.from(data.subarray(0, 32)));
    run(index.addTree({ logIndex, kind: kind as 0 | 1, packed }));
  }
  for (const at of [size, 'x', '-1', '00']) expect((await service.get(`/log/leaves/${at}`)).status).toBe(404);
});

test('every index entry has the root of the leaves before it, and an idle service adds none', async () => {
  const form = await auditIndex(service.db);
  expect(form).toMatch(/^(?:ti)+$/);
  for (let times = 0; times < 3; times++) await service.runTask('log of trees');
  expect(await auditIndex(service.db)).toBe(form);
});
