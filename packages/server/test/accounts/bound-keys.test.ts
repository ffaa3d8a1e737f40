import { randomUUID } from 'node:crypto';
import { raw } from 'sql-template-tag';
import { expect, test } from 'vitest';
import { findBoundKeys } from '../../src/accounts/idempotency-store.ts';
import type { Tx } from '../../src/db/db.ts';
import { plansOf } from '../../../../testing/database/plans.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';

const db = useDatabase();

// A connection keeps its plans, so a plan from an empty table must also suit a large one.
test('finds bound keys by index, also with a plan made when the table was empty', async () => {
  await db.query(raw('vacuum analyze idempotency'));
  await db.query(raw('vacuum analyze idempotency_guess'));
  const keys = Array.from({ length: 64 }, () => ({ userId: randomUUID(), key: randomUUID() }));
  const plans = await db.tx(async (tx) => {
    // All sessions of the service do this (db/sessions.ts).
    await tx.query(raw('set local enable_seqscan = off'));
    return plansOf(tx, (watched) => findBoundKeys(watched as Tx, keys, Date.now()));
  });
  expect(plans).toEqual([
    expect.stringMatching(/Index Cond: \(\(user_id = v\.user_id\) AND \(key = v\.key\)\)/),
  ]);
});
