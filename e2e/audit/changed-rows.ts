import { join } from 'node:path';
import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { tampered } from '../../testing/ledger/tampering.ts';
import { asJson, type AuditedRecord } from './record.ts';

export function changedRows(record: AuditedRecord): void {
  test('reports a deleted etch', async () => {
    const { id } = record.of(record.ada)[1]!;
    await tampered(
      record.world,
      async (run) => {
        await run(sql`delete from batch_leaf where etch_id = ${id}`);
        await run(sql`delete from etch where id = ${id}`);
      },
      async () => {
        const [ran, all] = await Promise.all([
          record.audit([record.ada.username]),
          record.audit(['--all', '--fresh']),
        ]);
        expect(ran, ran.out + ran.err).toMatchObject({ status: 1 });
        expect(ran.out).toMatch(
          /FAIL {2}tree [0-9a-f]{64}: \d leaves are attested, \d were given: 1 missing/,
        );
        expect(ran.out).toMatch(/\d of \d leaves in rebuilt trees only, /);
        expect(all.out).toMatch(/\d leaves in rebuilt trees, /);
        expect(all.out).toContain('accounts that no rebuilt tree of version 2 names are not covered');
        expect(all.status).toBe(1);
      },
    );
  });

  test('reports an altered hash and altered words', async () => {
    const { id } = record.of(record.ada)[2]!;
    await tampered(
      record.world,
      async (run) => void (await run(sql`update etch set hash = sha256(hash) where id = ${id}`)),
      async () => {
        const told = asJson(await record.audit([record.ada.username, '--json']));
        expect(told.result).toBe('fail');
        expect(told.accounts[0].faults).toContainEqual(
          expect.objectContaining({ what: 'altered', etch_id: id }),
        );
        expect(told.trees.broken).toHaveLength(1);
      },
    );
    await tampered(
      record.world,
      async (run) => void (await run(sql`update etch set content = content || '!' where id = ${id}`)),
      async () => {
        const [ran, whole] = await Promise.all([
          record.audit([record.ada.username]),
          record.audit(['--all', '--fresh', '--json']),
        ]);
        expect(ran.status).toBe(1);
        expect(ran.out).toContain(`altered: etch ${id}`);
        const all = asJson(whole);
        expect(all).toMatchObject({ result: 'fail', accounts_same: 1 });
        expect(all.accounts).toMatchObject([
          { username: record.ada.username, faults: [{ what: 'altered', etch_id: id }] },
        ]);
      },
    );
  });

  test('reports a record with an attestation of an untrusted relayer', async () => {
    const { id } = record.of(record.ada)[1]!;
    await tampered(
      record.world,
      async (run) =>
        void (await run(
          sql`update batch set uid = sha256(uid) where id in (select batch_id from batch_leaf where etch_id = ${id})`,
        )),
      async () => {
        const [ran, whole] = await Promise.all([
          record.audit([record.ada.username, '--json']),
          record.audit(['--all', '--json', '--state', join(record.home, 'uid.json')]),
        ]);
        for (const told of [asJson(ran), asJson(whole)]) {
          expect(told.result).toBe('fail');
          const hers = told.accounts.find(({ user_id }: any) => user_id === record.ada.userId);
          expect(hers.faults).toContainEqual(expect.objectContaining({ what: 'not attested', etch_id: id }));
        }
      },
    );
  });

  test('reports leaves swapped between accounts', async () => {
    const [mine, hers] = [record.of(record.ada)[3]!, record.of(record.ben)[0]!];
    await tampered(
      record.world,
      async (run) => {
        await run(sql`update etch set user_id = ${record.ben.userId} where id = ${mine.id}`);
        await run(sql`update etch set user_id = ${record.ada.userId} where id = ${hers.id}`);
      },
      async () => {
        const [ran, all] = await Promise.all([
          record.audit([record.ada.username, '--json']),
          record.audit(['--all', '--fresh']),
        ]);
        const told = asJson(ran);
        expect(told).toMatchObject({ result: 'fail' });
        expect(told.accounts[0].faults).toContainEqual(
          expect.objectContaining({ what: 'altered', etch_id: hers.id }),
        );
        expect(told.trees.broken).toHaveLength(2);
        expect(all.status).toBe(1);
      },
    );
  });

  test('reports a retraction that was undone', async () => {
    const { id } = record.of(record.ada)[0]!;
    await tampered(
      record.world,
      async (run) => {
        await run(sql`delete from batch_leaf where etch_id = ${id} and kind = 1`);
        await run(
          sql`update etch set status = 'revealed', retracted_at = null, content = 'x', salt = sha256('') where id = ${id}`,
        );
      },
      async () => expect((await record.audit([record.ada.username])).status).toBe(1),
    );
  });

  test('reports a withheld tree as unproven', async () => {
    await tampered(
      record.world,
      async (run) =>
        void (await run(sql`delete from batch_leaf where batch_id in (select id from batch where kind = 1)`)),
      async () => {
        const told = asJson(await record.audit([record.ben.username, '--json']));
        expect(told.result, 'the tombstones’ leaves are gone').toBe('fail');
      },
    );
    const liar = await record.lying((path) =>
      path.includes('/batches/') && path.endsWith('kind=1')
        ? { error: { code: 'not_found', message: 'no' } }
        : undefined,
    );
    const [ran, all] = await Promise.all([
      record.audit([record.ben.username], liar.url),
      record.audit(['--all', '--state', join(record.home, 'withheld.json')], liar.url),
    ]);
    expect(ran, ran.out + ran.err).toMatchObject({ status: 2 });
    expect(ran.out).toMatch(/WAIT {2}tree of tombstones [0-9a-f]{64}: unproven/);
    expect(all).toMatchObject({ status: 2 });
  });
}
