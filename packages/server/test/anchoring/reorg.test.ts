// Runs on both databases.
import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { openTransactions } from '../../src/anchoring/ledger/transactions.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { auditLedger } from '../../../../testing/ledger/audit-ledger.ts';
import { drain } from '../../../../testing/anchoring/drive.ts';
import { makeEtches, retract } from '../../../../testing/anchoring/etches.ts';
import { dropBlocks } from '../../../../testing/chain/chain-faults.ts';
import { useAnchoring } from '../../../../testing/anchoring/ground.ts';
import { AT_FULL_COUNT } from '../../../../testing/rounds.ts';
import { once } from '../../../../testing/database/once.ts';

describe('a chain that reorganizes', () => {
  const ground = useAnchoring();
  const db = useDatabase();
  beforeEach(() => db.query(sql`delete from lease`));

  const anchored = () =>
    db.query<{ id: number; uid: Buffer | null }>(
      sql`select id, uid from batch where anchored_at is not null order by id`,
    );

  once.each(AT_FULL_COUNT ? [1, 6, 64] : [6])(
    '%i blocks deep: final etches are pending, then anchored again',
    async (depth) => {
      const trees = ground.anchoring(db, { holder: 'one' });
      const singles = ground.anchoring(db, { holder: 'one', rules: { scheme: 'single' } });
      // Else the loss would reach the registration of the schema.
      await ground.devnet.mine(depth);
      const first = await makeEtches(db, 3);
      await drain(singles, db);
      const second = await makeEtches(db, 3);
      await drain(trees, db);
      await retract(db, [first[0]!, second[0]!]);
      await drain(trees, db);
      await makeEtches(db, 2);
      await drain(trees, db);
      const before = await anchored();
      await dropBlocks(ground.devnet, depth);
      const { reopened } = await trees.tick({ fold: false });
      expect(reopened).toBeGreaterThan(0);
      expect((await anchored()).length).toBeLessThan(before.length);
      await drain(trees, db);
      const after = await anchored();
      expect(after.length).toBeGreaterThanOrEqual(before.length);
      await auditLedger(db, ground.devnet);
    },
  );

  test('moves unconfirmed transactions without ever showing them as anchored', async () => {
    const anchoring = ground.anchoring(db, {
      chain: ground.devnet.chain({ confirmations: 4, minesOnDemand: false }),
    });
    await makeEtches(db, 3);
    await ground.devnet.mine();
    const before = (await anchored()).length;
    for (let look = 0; look < 5; look++) await anchoring.tick();
    expect((await anchored()).length).toBe(before);
    await dropBlocks(ground.devnet, 1);
    for (let look = 0; look < 5; look++) await anchoring.tick();
    expect((await anchored()).length).toBe(before);
    await ground.devnet.mine(4);
    await drain(anchoring, db);
    await auditLedger(db, ground.devnet);
  });

  test('sends transactions before it checks those waiting for confirmations', async () => {
    const insert = (nonce: number, state: string) =>
      db.query(sql`insert into anchor_tx (sender, nonce, action, calldata, state, not_before, staged_at)
        values ('\\x00'::bytea, ${nonce}, 'fill', '\\x00'::bytea, ${state}, now(), now())`);
    try {
      for (let nonce = 0; nonce < 6; nonce++) await insert(nonce, 'MINED');
      await insert(6, 'HALTED');
      for (const nonce of [8, 7]) await insert(nonce, 'STAGED');
      const open = await openTransactions(db, 4);
      expect(open.map(({ nonce }) => nonce)).toEqual([7, 8, 0, 1]);
    } finally {
      await db.query(sql`delete from anchor_tx where sender = '\\x00'::bytea`);
    }
  });
});
