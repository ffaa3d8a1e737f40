import sql, { type Sql } from 'sql-template-tag';
import { beforeAll, expect, test } from 'vitest';
import { fsck } from '../../src/admin/fsck/fsck.ts';
import { createKeyring } from '../../src/platform/secrets/keyring.ts';
import { useService } from '../../../../testing/service/service.ts';
import { liveAWhile } from './support.ts';

const service = useService({ chain: true });
let made: Awaited<ReturnType<typeof liveAWhile>>;
beforeAll(async () => void (made = await liveAWhile(service)));

test('finds no fault after normal use and checks everything', async () => {
  const report = await fsck(service.db, service.keyring);
  expect(report.faults).toEqual([]);
  const counts = { etches: 6, hashes: 5, 'sealed texts opened': 2, signatures: 2, leaves: 6, roots: 2 };
  expect(report.checked).toMatchObject(counts);
  expect(report.checked['constraints']).toBeGreaterThan(20);
});

async function after(...changes: Sql[]) {
  const { faults } = await service.db.tx(async (tx) => {
    for (const change of changes) await tx.query(change);
    const report = await fsck(tx, service.keyring);
    tx.rollback();
    return report;
  });
  return faults.map(({ kind, id, what }) => `${kind} ${id}: ${what}`);
}

test('recomputes the index entries of the log, and reports a wrong one', async () => {
  await service.runTask('log of trees');
  const { checked, faults } = await fsck(service.db, service.keyring);
  expect(checked['index entries']).toBeGreaterThan(0);
  expect(faults).toEqual([]);
  const last = await service.db.value<number>(
    sql`select max(index) as last from log_entry where get_byte(data, 63) = 2`,
  );
  const altered = sql`update log_entry set data = set_byte(data, 0, (get_byte(data, 0) + 1) % 256) where index = ${last}`;
  expect(await after(altered)).toEqual([`index entry ${last}: its root is not that of the leaves before it`]);
});

test('reports an altered hash', async () => {
  const { id } = made.etches.open;
  const faults = await after(
    sql`update etch set hash = set_byte(hash, 3, (get_byte(hash, 3) + 1) % 256) where id = ${id}`,
  );
  expect(faults).toContain(`etch ${id}: its hash does not match its author, time, salt and text`);
  expect(faults).toContain(`etch ${id}: its leaf does not fold to the root of its tree`);
  expect(faults).toContainEqual(expect.stringMatching(/^tree .*do not fold to it/));
});

test.each([
  ['text', 'open', sql`content = content || '.'`, 1],
  ['signed text', 'withSignature', sql`content = content || '.'`, 2],
  ['time', 'open', sql`created_at = created_at + interval '1 millisecond'`, 1],
  ['salt', 'open', sql`salt = set_byte(salt, 0, (get_byte(salt, 0) + 1) % 256)`, 1],
] as const)('reports an altered %s', async (_, which, change, count) => {
  const { id } = made.etches[which];
  const faults = await after(sql`update etch set ${change} where id = ${id}`);
  expect(faults[0]).toBe(`etch ${id}: its hash does not match its author, time, salt and text`);
  expect(faults).toHaveLength(count);
});

test('reports an altered or moved ciphertext and a missing key', async () => {
  const { sealed, entry } = made.etches;
  const unopened = 'its sealed text cannot be decrypted: it was altered, or its key is not in SECRET_KEYS';
  for (const value of [
    sql`set_byte(sealed, 40, (get_byte(sealed, 40) + 1) % 256)`,
    sql`(select sealed from etch where id = ${entry.id})`,
  ])
    expect(await after(sql`update etch set sealed = ${value} where id = ${sealed.id}`)).toEqual([
      `etch ${sealed.id}: ${unopened}`,
    ]);
  const { faults } = await fsck(service.db, createKeyring([Buffer.alloc(32, 7)]));
  expect(faults.map(({ id }) => id).sort()).toEqual([sealed.id, entry.id].sort());
});

test('reports a deleted row and every row that refers to it', async () => {
  const { id } = made.etches.open;
  const faults = await after(
    sql`delete from batch_leaf where etch_id = ${id}`,
    sql`delete from etch where id = ${id}`,
  );
  const missing = /^tree [0-9a-f]{64}: it has 5 leaves, of which 1 are missing: their etches were deleted$/;
  expect(faults).toEqual([expect.stringMatching(missing)]);
});

test('reports a missing account and a job whose etch is missing', async () => {
  const { open, pending } = made.etches;
  const stranger = '00000000-0000-4000-8000-000000000000';
  expect(await after(sql`update etch set user_id = ${stranger} where id = ${open.id}`)).toContain(
    `etch ${open.id}: its account is gone`,
  );
  expect(await after(sql`delete from etch where id = ${pending.id}`)).toEqual([
    `anchoring job ${pending.id}: its etch is gone`,
  ]);
});

test('reports an undone retraction and one missing in the erasure ledger', async () => {
  const { retracted } = made.etches;
  const back = await after(
    sql`update etch set status = 'revealed', retracted_at = null, content = 'other', salt = ${Buffer.alloc(32)} where id = ${retracted.id}`,
  );
  expect(back).toContain(`etch ${retracted.id}: the erasure ledger names it, but it is not retracted`);
  expect(await after(sql`delete from erasure where etch_id = ${retracted.id}`)).toEqual([
    `etch ${retracted.id}: the erasure ledger does not name it with its hash`,
  ]);
});

test('reports swapped leaves, etches without a job and wrong counts', async () => {
  const { open, withSignature, pending } = made.etches;
  expect(await after(sql`update etch set user_id = ${made.other.userId} where id = ${open.id}`)).toContain(
    `etch ${open.id}: its leaf does not fold to the root of its tree`,
  );
  const swap = await after(sql`
      update batch_leaf l set proof = o.proof from batch_leaf o
      where l.kind = 0 and o.kind = 0 and l.etch_id = ${open.id} and o.etch_id = ${withSignature.id}`);
  expect(swap.join()).toContain(`etch ${open.id}: its leaf does not fold`);
  expect(await after(sql`delete from anchor_job where etch_id = ${pending.id}`)).toEqual([
    `etch ${pending.id}: it is in no tree and not queued`,
  ]);
  expect((await after(sql`update challenge_tally set etch_count = 7`)).join()).toContain(
    'its count is not the number',
  );
  expect((await after(sql`drop index etch_once_per_challenge`)).join()).toContain(
    'constraint etch_once_per_challenge: it is missing',
  );
});

test('reports rows that violate a constraint', async () => {
  const faults = await after(
    sql`alter table etch drop constraint etch_mode_check`,
    sql`alter table etch add constraint etch_mode_check check (mode in ('delayed')) not valid`,
  );
  expect(faults).toEqual(['constraint etch.etch_mode_check: 4 rows break it']);
});
