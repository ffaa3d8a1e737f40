import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { openTransactions } from '../../src/anchoring/ledger/transactions.ts';
import * as testing from '../../../../testing/anchoring/index.ts';
import { dropBlocks } from '../../../../testing/chain/chain-faults.ts';
import { AT_FULL_COUNT } from '../../../../testing/rounds.ts';

const { drain, makeEtches, retract } = testing;
const ground = testing.useAnchoring();
const db = testing.useDatabase();
const anchored = async () => (await db.query(sql`select 1 from batch where anchored_at is not null`)).length;

test.each(AT_FULL_COUNT ? [1, 6, 64] : [6])(
  '%i blocks deep: final etches are pending, then anchored again',
  async (depth) => {
    // Else the loss would reach the registration of the schema.
    await ground.devnet.mine(depth);
    const first = await makeEtches(db, 3);
    await ground.drain(db, { rules: { scheme: 'single' } });
    const second = await makeEtches(db, 3);
    const trees = await ground.drain(db);
    await retract(db, [first[0]!, second[0]!]);
    await drain(trees, db);
    await makeEtches(db, 2);
    await drain(trees, db);
    const before = await anchored();
    await dropBlocks(ground.devnet, depth);
    expect((await trees.tick({ fold: false })).reopened).toBeGreaterThan(0);
    expect(await anchored()).toBeLessThan(before);
    await drain(trees, db);
    expect(await anchored()).toBeGreaterThanOrEqual(before);
    await ground.audit(db);
  },
);

test('moves unconfirmed transactions without ever showing them as anchored', async () => {
  const chain = ground.devnet.chain({ confirmations: 4, minesOnDemand: false });
  const anchoring = ground.anchoring(db, { chain });
  await makeEtches(db, 3);
  await ground.devnet.mine();
  const before = await anchored();
  for (const drop of [0, 1]) {
    if (drop > 0) await dropBlocks(ground.devnet, drop);
    for (let look = 0; look < 5; look++) await anchoring.tick();
    expect(await anchored()).toBe(before);
  }
  await ground.devnet.mine(4);
  await drain(anchoring, db);
  await ground.audit(db);
});

test('sends transactions before it checks those waiting for confirmations', async () => {
  const states = [...Array<string>(6).fill('MINED'), 'HALTED', 'STAGED', 'STAGED'];
  try {
    for (const [nonce, state] of states.entries())
      await db.query(sql`insert into anchor_tx (sender, nonce, action, calldata, state, not_before, staged_at)
        values ('\\x00'::bytea, ${nonce}, 'fill', '\\x00'::bytea, ${state}, now(), now())`);
    expect((await openTransactions(db, 4)).map(({ nonce }) => nonce)).toEqual([7, 8, 0, 1]);
  } finally {
    await db.query(sql`delete from anchor_tx where sender = '\\x00'::bytea`);
  }
});
