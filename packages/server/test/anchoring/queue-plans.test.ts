import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { takeCommitments, takeTombstones } from '../../src/anchoring/ledger/queue.ts';
import type { Tx } from '../../src/db/db.ts';
import { makeEtches, retract, useDatabase } from '../../../../testing/anchoring/index.ts';
import { plansOf } from '../../../../testing/database/plans.ts';

const SENDER = '0x5b38da6a701c568545dcfcb03fcb875f56beddc4';
const IN_A_TREE = 500;
const db = useDatabase();

async function found(take: (tx: Tx) => Promise<readonly { etchId: string }[]>) {
  let rows: readonly { etchId: string }[] = [];
  const [plan] = await plansOf(db, async (watched) => void (rows = await take(watched as Tx)));
  return { plan, ids: rows.map((row) => row.etchId).sort() };
}

test('finds a queued retraction without reading the leaves of every tree', async () => {
  const etches = await makeEtches(db, 8 * IN_A_TREE);
  await db.query(sql`
    with staged as (
      insert into anchor_tx (sender, nonce, action, calldata, state, not_before, staged_at)
      select decode(${SENDER.slice(2)}, 'hex'), nonce, 'attest', '\\x00', 'FINAL', now(), now() from generate_series(0, 7) as nonce
      returning id, nonce
    ), trees as (
      insert into batch (tx_id, position, kind, tree_version, root, tree_size, uid, anchored_at)
      select id, 0, 0, 2, '\\x01', ${IN_A_TREE}, '\\x02', now() from staged returning id, tx_id
    )
    insert into batch_leaf (kind, etch_id, batch_id, proof)
    select 0, e.id, trees.id, '' from (select id, (row_number() over () - 1) / ${IN_A_TREE}::integer as nonce from etch) e
    join staged on staged.nonce = e.nonce join trees on trees.tx_id = staged.id`);
  await db.query(sql`delete from anchor_job`);
  await retract(db, etches.slice(0, 1));
  // Before ANALYZE, the planner guesses the number of rows.
  const { plan, ids } = await found((tx) => takeTombstones(tx, SENDER, 10));
  expect(ids).toEqual([etches[0]!.id]);
  expect(plan).toMatch(/Index Scan using batch_leaf_pkey on batch_leaf l /);
  expect(plan).not.toMatch(/batch_leaf_batch|Seq Scan on batch_leaf/);
});

test('reads the oldest jobs in order from a queue of any length', async () => {
  await makeEtches(db, 4_000, { createdAt: '2027-01-01T00:00:00.000Z' });
  const first = await makeEtches(db, 10, { createdAt: '2026-01-01T00:00:00.000Z' });
  await db.query(sql`vacuum analyze anchor_job`);
  const { plan, ids } = await found((tx) => takeCommitments(tx, 10));
  expect(ids).toEqual(first.map(({ id }) => id).sort());
  expect(plan).toMatch(/Index Scan using anchor_job_oldest on anchor_job j /);
  expect(plan).not.toMatch(/Sort/);
});
