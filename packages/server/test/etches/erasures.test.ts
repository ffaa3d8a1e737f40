import { readFile, stat, writeFile, appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import sql from 'sql-template-tag';
import { beforeEach, expect, test } from 'vitest';
import { createErasureFile, replayErasures } from '../../src/acts/erasure-store.ts';
import { newFolder } from '../../../../testing/machine/folder.ts';
import { remember } from '../../../../testing/database/older.ts';
import { useService } from '../../../../testing/service/service.ts';

const CANARY = 'canary-7c1f of what was said';

const service = useService({ chain: true });
let folder = '';
beforeEach(() => void (folder = newFolder('erasures')));
const lines = async (file: string) => (await readFile(file, 'utf8')).trimEnd().split('\n');

test('gets one line with id, hash and time for each retraction, and no text', async () => {
  const author = await service.registerAgent();
  const erase = async () => {
    const { id } = await service.etch(author, { content: CANARY });
    return (await service.retract(author, id)).body.etch;
  };
  const file = join(folder, 'deeper', 'erasures.jsonl');
  const keep = createErasureFile(service.db, file);
  await keep();
  const retracted = [];
  for (let round = 0; round < 3; round++) {
    retracted.push(await erase());
    expect(await keep()).toBe(1);
    expect(await keep()).toBe(0);
  }
  await appendFile(file, '{"etch_id":"00');
  expect(await createErasureFile(service.db, file)()).toBe(0);
  const more = await erase();
  expect(await createErasureFile(service.db, file)()).toBe(1);

  const found = await lines(file);
  for (const { id, hash, retracted_at } of retracted) {
    const line = JSON.stringify({ etch_id: id, hash, retracted_at });
    expect(found.filter((one) => one === line)).toHaveLength(1);
  }
  expect(found.at(-1)).toContain(more.id);
  expect(found.join()).not.toContain('canary');
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('gets complete lines from several processes that write one file', async () => {
  const author = await service.registerAgent();
  const file = join(folder, 'shared.jsonl');
  const writers = [1, 2, 3].map(() => createErasureFile(service.db, file));
  const ids: string[] = [];
  for (let round = 0; round < 8; round++) {
    const { id } = await service.etch(author, { content: CANARY });
    ids.push(id);
    await service.retract(author, id);
    await Promise.all(writers.map((keep) => keep()));
  }
  const found = (await lines(file)).filter((line) => line !== '');
  const named = found.map((line) => (JSON.parse(line) as { etch_id: string }).etch_id);
  expect([...new Set(named)]).toEqual(expect.arrayContaining(ids));
  expect((await replayErasures(service.db, file)).refused).toBe(0);
});

test('erases etches again in a restored database, everywhere, and anchors each tombstone once', async () => {
  const author = await service.registerAgent();
  const digest = createHash('sha256').update(CANARY).digest('hex');
  const signature = author.sign(`svc-sig:v1|${author.userId}|${digest}`);
  const open = await service.etch(author, { content: CANARY, description: 'kept words', signature });
  const sealed = await service.seal(author, { content: CANARY });
  const kept = await service.etch(author, { content: 'what stays' });
  await service.anchor();
  await service.runTask('search');
  const goBack = await remember(service.db);

  for (const { id } of [open, sealed]) await service.retract(author, id);
  await service.anchor();
  const later = await service.etch(author, { content: CANARY });
  await service.retract(author, later.id);
  await service.anchor();
  const file = join(folder, 'erasures.jsonl');
  await createErasureFile(service.db, file)();
  const read = () => Promise.all([open, sealed].map(({ id }) => service.read(id)));
  const before = await read();

  await goBack();
  await service.db.query(sql`insert into search_queue (etch_ids) select array[id] from etch`);
  await service.runTask('search');
  expect(await service.read(open.id)).toMatchObject({ content: CANARY });
  const replayed = await replayErasures(service.db, file);
  expect(replayed).toMatchObject({ erased: 2, refused: 0 });
  expect(await replayErasures(service.db, file)).toMatchObject({ erased: 0, refused: 0 });
  const hits = sql`
    select (select count(*) from etch where content like '%canary%'
        or id in (${open.id}, ${sealed.id}) and num_nonnulls(sealed, content, salt, signature, signature_key) > 0)
      + (select count(*) from etch_search where text like '%canary%')`;
  expect(await service.db.value(hits)).toBe(0);

  await service.anchor();
  expect(await read()).toEqual(before);
  for (const { id } of [open, sealed, kept]) {
    const verified = await service.get(`/api/v1/verify/${id}`);
    expect(verified.body.checks.map((check: any) => check.verdict)).not.toContain('fail');
  }
  expect((await service.read(kept.id)).content).toBe('what stays');
  // The chain returned the first tombstones, but not the tree and the tombstone of the lost etch.
  expect(await service.db.value(sql`select coalesce(sum(unplaced), 0)::bigint from anchor_tx`)).toBe(2);
});

test('rejects damaged lines and other hashes, and stores lines of unknown etches', async () => {
  const author = await service.registerAgent();
  const etch = await service.etch(author, { content: 'still here' });
  const elsewhere = '7d9f0c1e-3b0a-4a51-9a55-4b7f3f1d2c3b';
  const at = '2026-01-02T03:04:05.678Z';
  const file = join(folder, 'other.jsonl');
  const unknown = { etch_id: elsewhere, hash: 'cd'.repeat(32), retracted_at: at };
  const takedown = { target: 'etch', target_id: etch.id, reason: 'spam', taken_down_at: at };
  const damaged = [
    {},
    { ...unknown, etch_id: 'x' },
    { ...unknown, hash: 'cd' },
    { ...unknown, retracted_at: 'soon' },
    { ...unknown, taken_down: 'No reason' },
    { ...takedown, target: 'user' },
    { ...takedown, target_id: 'x' },
    { ...takedown, reason: 'No reason' },
    { ...takedown, taken_down_at: 'soon' },
  ];
  const lines = [{ ...unknown, etch_id: etch.id }, unknown, ...damaged].map((line) => JSON.stringify(line));
  await writeFile(file, `${lines.join('\n')}\nnot json\n`);
  const none = { erased: 0, takenDown: 0 };
  const refused = damaged.length + 2;
  expect(await replayErasures(service.db, file)).toEqual({ entries: lines.length + 1, ...none, refused });
  expect((await service.read(etch.id)).content).toBe('still here');
  const stored = sql`select etch_id from erasure where etch_id in (${etch.id}, ${elsewhere})`;
  expect(await service.db.column(stored)).toEqual([elsewhere]);
  const missing = join(folder, 'none.jsonl');
  expect(await replayErasures(service.db, missing)).toEqual({ entries: 0, ...none, refused: 0 });
});
