import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { replayErasures } from '../../src/acts/erasure-store.ts';
import { checkTombstones, eraseForgotten, giveForgottenBack } from '../../src/admin/chain/tombstones.ts';
import { fsck } from '../../src/admin/fsck/fsck.ts';
import { Report } from '../../src/admin/fsck/report.ts';
import { indexQueued } from '../../src/search-index/index-store.ts';
import { lookForTombstones } from '../../src/tombstones/match-store.ts';
import { readMissingTombstones } from '../../src/vitals/store.ts';
import { remember } from '../../../../testing/database/older.ts';
import type { TestAgent } from '../../../../testing/clients/agents.ts';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { startServer } from '../../../../testing/machine/server.ts';
import { useService } from '../../../../testing/service/service.ts';

const service = useService({ chain: true });
const log: string[] = [];
const note = (_: object, message: string) => void log.push(message);
const start = () =>
  lookForTombstones(service.db, service.chain, service.keyring, { warn: note, error: note });
const retract = async (agent: TestAgent, id: string) =>
  expect((await service.retract(agent, id)).status).toBe(200);
const check = async (leaves?: string) => {
  const report = new Report();
  await checkTombstones(service.db, service.chain, service.keyring, { leaves, report });
  return report.faults;
};
const giveBack = (tombstone: string, really = true) =>
  giveForgottenBack(service.db, service.keyring, tombstone, really);
const get = (path: string, key?: string) => service.get(path, key);
const contentOf = async (id: string) => (await service.read(id)).content;
const forgotten = (withheld: number, unmatched = 0) => ({ withheld, unmatched });

async function said(agent: TestAgent, id: string, words: string): Promise<string> {
  const answers = await Promise.all([
    get(`/api/v1/etches/${id}`),
    get(`/api/v1/etches/${id}/receipt`),
    get(`/api/v1/verify/${id}`),
    get(`/api/v1/users/${agent.username}/etches`),
    get(`/api/v1/users/${agent.username}/record`),
    get(`/u/${agent.username}/record.md`),
    get('/api/v1/feed', agent.key),
    get(`/e/${id}`),
    get(`/e/${id}/verify`),
    get(`/u/${agent.username}`),
    get('/api/v1/me/events', agent.key),
  ]);
  const row = await service.db.value<string>(sql`
    select row_to_json(e)::text || coalesce((select text from etch_search where etch_id = e.id), '')
    from etch e where id = ${id}`);
  const found = await get(`/api/v1/search?q=${encodeURIComponent(words)}`);
  return [...answers.map(({ text }) => text), JSON.stringify(found.body.etches), row].join('\n');
}

async function restoreOlder(
  agent: TestAgent,
  contents: readonly Record<string, unknown>[],
  scheme?: 'tree-v1' | 'single',
) {
  const etches: { id: string; hash: string }[] = [];
  for (const fields of contents) etches.push(await service.etch(agent, fields));
  await service.anchor(scheme);
  const goBack = await remember(service.db);
  for (const { id } of etches) await retract(agent, id);
  await service.anchor(scheme);
  const root = await service.db.value<string>(sql`
    select encode(b.root, 'hex') from batch b join batch_leaf l on l.batch_id = b.id
    where l.kind = 1 and l.etch_id = ${etches[0]!.id}`);
  const copy = (await get(`/api/v1/batches/${root}?kind=1`)).text;
  await goBack();
  await service.db.query(sql`insert into search_queue (etch_ids) select array[id] from etch`);
  await indexQueued(service.db);
  return { etches, copy };
}

// An older database without its erasure ledger.
const folder = newFolder('leaves');
beforeAll(start);

test('withholds retracted etches at start and erases them only for an operator', async () => {
  const agent = await service.registerAgent();
  const words = 'the heron stands alone';
  const { etches } = await restoreOlder(agent, [{ content: words, description: 'a bird' }]);
  const id = etches[0]!.id;
  expect(await said(agent, id, words)).toContain(words);
  const found = async () => (await get('/api/v1/search?q=heron')).body.etches.length;
  expect(await found()).toBe(1);

  await start();
  expect(await found()).toBe(0);
  expect(log.join()).toMatch(/withheld \(svc-admin chain erase\)/);
  expect(await said(agent, id, words)).not.toContain(words);
  const hidden = { status: 'retracted', content: null, salt: null, signature: null, created_at: null };
  expect(await service.read(id)).toMatchObject(hidden);
  expect((await service.retract(agent, id)).status).toBe(422);
  expect(await readMissingTombstones(service.db)).toEqual(forgotten(1));
  expect((await fsck(service.db, service.keyring)).faults).toEqual([]);
  // Until a decision, the author's tombstone is the only one.
  await service.anchor();
  expect(await service.db.query(sql`select 1 from anchor_job where kind = 1`)).toEqual([]);

  expect((await check()).map(({ kind, id: which }) => [kind, which])).toEqual([['etch', id]]);
  expect((await eraseForgotten(service.db, false)).etches).toHaveLength(1);
  expect(await readMissingTombstones(service.db)).toEqual(forgotten(1));
  expect((await eraseForgotten(service.db, true)).done).toBe(1);
  expect(await readMissingTombstones(service.db)).toEqual(forgotten(0));
  expect(await service.db.query(sql`select 1 from erasure where etch_id = ${id}`)).toHaveLength(1);
  await service.anchor();
  expect((await fsck(service.db, service.keyring)).faults).toEqual([]);
  expect(await check()).toEqual([]);
  const receipt = (await get(`/api/v1/etches/${id}/receipt`)).body;
  expect(receipt.revocation.attestation_uid).toMatch(/^0x/);
});

test('a retraction before the time of its etch stays that after a restore past this time', async () => {
  const agent = await service.registerAgent();
  const reveal_at = service.at(7_200_000);
  const { etches } = await restoreOlder(agent, [{ content: 'not yet', mode: 'delayed', reveal_at }]);
  service.clock.advance(7_200_001);
  await start();
  const shown = await service.read(etches[0]!.id);
  service.clock.release();
  expect(shown).toMatchObject({ status: 'retracted', content: null, revealed_at: null });
  expect((await eraseForgotten(service.db, true)).done).toBe(1);
});

test('releases etches whose tombstones a thief of the relayer key wrote', async () => {
  const agent = await service.registerAgent();
  const reveal_at = service.at(7_200_000);
  const one = await restoreOlder(agent, [{ content: 'open words' }]);
  const two = await restoreOlder(agent, [{ content: 'closed words', mode: 'delayed', reveal_at }]);
  const before = await get(`/api/v1/users/${agent.username}/etches`);
  await start();
  expect(await contentOf(one.etches[0]!.id)).toBeNull();
  const { etches } = await eraseForgotten(service.db, false);
  expect(etches).toHaveLength(2);
  for (const { tombstone } of etches) {
    expect((await giveBack(tombstone, false)).dismissed).toBe(false);
    expect(await giveBack(tombstone)).toMatchObject({ done: 1, dismissed: true });
  }
  await indexQueued(service.db);
  expect(await contentOf(one.etches[0]!.id)).toBe('open words');
  const after = await get(`/api/v1/users/${agent.username}/etches`);
  expect(after.body.counts).toEqual(before.body.counts);
  expect(after.body.etches).toEqual(before.body.etches);
  expect((await get('/api/v1/search?q=open%20words')).body.etches).toHaveLength(1);
  await start();
  expect(await check()).toEqual([]);
  expect(await contentOf(one.etches[0]!.id)).toBe('open words');
  service.clock.advance(7_200_001);
  expect(await contentOf(two.etches[0]!.id)).toBe('closed words');
  service.clock.release();
});

test('reports a tree of several leaves until a copy of /batches gives them', async () => {
  const agent = await service.registerAgent();
  const texts = ['first', 'second', 'third'].map((which) => ({ content: `${which} of three` }));
  const { etches, copy } = await restoreOlder(agent, texts);
  await start();
  expect(await contentOf(etches[0]!.id)).toBe('first of three');
  expect(await readMissingTombstones(service.db)).toEqual(forgotten(0, 1));
  expect(log.join()).toMatch(/chain check --leaves/);
  const what = expect.stringMatching(/retracts 3 etches and matches none/);
  expect((await check())[0]).toMatchObject({ kind: 'tombstone tree', what });

  const { batch } = JSON.parse(copy);
  const file = join(folder, 'batches.jsonl');
  const leaves = batch.leaves.map((leaf: object) => ({ ...leaf, hash: '00'.repeat(32) }));
  await writeFile(file, JSON.stringify({ batch: { ...batch, leaves } }));
  expect((await check(file))[0]!.kind).toBe('tombstone tree');
  expect(await contentOf(etches[0]!.id)).toBe('first of three');

  await writeFile(file, `${copy}\n`);
  expect((await check(file)).map(({ kind }) => kind)).toEqual(['etch', 'etch', 'etch']);
  for (const { id } of etches) expect(await contentOf(id)).toBeNull();
  expect(await readMissingTombstones(service.db)).toEqual(forgotten(3));
  expect((await eraseForgotten(service.db, true)).done).toBe(3);
  expect(await check()).toEqual([]);
});

test('finds the tombstones of single etches and of version 1 trees', async () => {
  const agent = await service.registerAgent();
  const alike = [{ content: 'by itself' }, { content: 'also by itself' }];
  const single = await restoreOlder(agent, alike, 'single');
  await start();
  for (const { id } of single.etches) expect(await contentOf(id)).toBeNull();
  expect(await readMissingTombstones(service.db)).toEqual(forgotten(2));
  expect((await eraseForgotten(service.db, true)).done).toBe(2);
  await service.anchor('single');
  expect(await check()).toEqual([]);

  const alone = await restoreOlder(agent, [{ content: 'one of version 1' }], 'tree-v1');
  await start();
  expect(await contentOf(alone.etches[0]!.id)).toBeNull();
  const pair = await restoreOlder(agent, [{ content: 'first' }, { content: 'second' }], 'tree-v1');
  expect(JSON.parse(pair.copy).batch).toMatchObject({ tree_version: 1, leaves: [{}, {}] });
  await start();
  expect(await contentOf(pair.etches[0]!.id)).toBe('first');
  const mirror = await startServer((request, response) => {
    const known = request.url === `/api/v1/batches/${JSON.parse(pair.copy).batch.root}?kind=1`;
    response.writeHead(known ? 200 : 404).end(known ? pair.copy : '{}');
  });
  const faults = await check(mirror.url);
  await mirror.stop();
  expect(faults.map(({ kind }) => kind)).toEqual(['etch', 'etch', 'etch']);
  for (const { id } of pair.etches) expect(await contentOf(id)).toBeNull();
  expect((await eraseForgotten(service.db, true)).done).toBe(3);
  await service.anchor('tree-v1');
  expect(await check()).toEqual([]);
});

test('erases withheld etches that a later found ledger lists', async () => {
  const agent = await service.registerAgent();
  const { etches } = await restoreOlder(agent, [{ content: 'the ledger was in the safe' }]);
  const [{ id, hash }] = etches as [{ id: string; hash: string }];
  await start();
  expect(await readMissingTombstones(service.db)).toEqual(forgotten(1));
  const file = join(folder, 'erasures.jsonl');
  const line = { etch_id: id, hash, retracted_at: '2026-03-04T05:06:07.089Z', taken_down: 'spam' };
  await writeFile(file, JSON.stringify(line));
  const replayed = { entries: 1, erased: 1, takenDown: 0, refused: 0 };
  expect(await replayErasures(service.db, file)).toEqual(replayed);
  expect(await readMissingTombstones(service.db)).toEqual(forgotten(0));
  const reason = sql`select taken_down from erasure where etch_id = ${id}`;
  expect(await service.db.value(reason)).toBe('spam');
  await service.anchor();
  expect(await check()).toEqual([]);
});

test('reports a tombstone of a lost etch until an operator dismisses it', async () => {
  const agent = await service.registerAgent();
  const goBack = await remember(service.db);
  const { id } = await service.etch(agent, { content: 'made and retracted since' });
  await service.anchor();
  await retract(agent, id);
  await service.anchor();
  await goBack();
  await start();
  const [fault] = await check();
  expect(fault!.kind).toBe('tombstone tree');
  const uid = /0x[0-9a-f]{64}/.exec(fault!.what)![0];
  expect(await giveBack(uid)).toMatchObject({ done: 0, dismissed: true });
  expect(await check()).toEqual([]);
});
