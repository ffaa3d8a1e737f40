// Runs on both databases.
import sql from 'sql-template-tag';
import { beforeEach, describe, expect, test } from 'vitest';
import { useDatabase } from '../../../../testing/database/test-database.ts';
import { UniqueViolation } from '../../src/db/db.ts';

const count = sql`select count(*)::int as rows from thing`;
const insert = (id: number) => sql`insert into thing (id) values (${id}) returning id`;

describe('a transaction', () => {
  const db = useDatabase();
  beforeEach(() => db.query(sql`create table if not exists thing (id integer primary key)`));
  beforeEach(() => db.query(sql`truncate thing`));
  const rows = async () => (await db.query<{ rows: number }>(count))[0]?.rows;

  test('commits after its last statement', async () => {
    const answer = await db.tx(async (tx) => {
      await tx.query(insert(1));
      return tx.last(insert(2));
    });
    expect(answer).toEqual([{ id: 2 }]);
    expect(await rows()).toBe(2);
  });

  test('rolls back if its last statement fails', async () => {
    const work = db.tx(async (tx) => {
      await tx.query(insert(1));
      await tx.last(insert(1));
    });
    await expect(work).rejects.toThrow(UniqueViolation);
    expect(await rows()).toBe(0);
    await Promise.all(Array.from({ length: 12 }, (_, id) => db.query(insert(id))));
    expect(await rows()).toBe(12);
  });

  test('returns its result when its work rolls it back', async () => {
    const answer = await db.tx(async (tx) => {
      const inserted = await tx.query(insert(1));
      tx.rollback();
      return inserted;
    });
    expect(answer).toEqual([{ id: 1 }]);
    expect(await rows()).toBe(0);
    await Promise.all(Array.from({ length: 12 }, (_, id) => db.query(insert(id))));
    expect(await rows()).toBe(12);
  });

  test('rolls back if an earlier statement failed and the failure was ignored', async () => {
    const work = db.tx(async (tx) => {
      await tx.query(insert(1));
      const unseen = tx.query(insert(1));
      unseen.catch(() => {});
      await tx.last(insert(2)).catch(() => {});
    });
    await expect(work).rejects.toThrow();
    expect(await rows()).toBe(0);
  });

  test('runs concurrent statements in order', async () => {
    const found = await db.tx(async (tx) => {
      const asked = [insert(1), count, insert(2), count, insert(3), count];
      return Promise.all(asked.map((statement) => tx.query(statement)));
    });
    expect(found.flat()).toEqual([{ id: 1 }, { rows: 1 }, { id: 2 }, { rows: 2 }, { id: 3 }, { rows: 3 }]);
  });

  test('rolls back only the transaction whose statement failed', async () => {
    const outcomes = await Promise.allSettled(
      [0, 1, 2, 3].map((turn) =>
        db.tx(async (tx) => {
          const last = turn === 2 ? insert(0) : insert(turn + 10);
          await Promise.all([tx.query(insert(turn === 2 ? 0 : turn)), tx.query(last), tx.query(count)]);
        }),
      ),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(await rows()).toBe(6);
  });

  test('that only reads sees one snapshot, and releases its connection', async () => {
    for (let turn = 0; turn < 30; turn++) {
      const [before, after] = await db.tx(
        async (tx) => [await tx.query<{ rows: number }>(count), await tx.query<{ rows: number }>(count)],
        { snapshot: true },
      );
      expect(after).toEqual(before);
      await db.query(insert(turn));
    }
    expect(await rows()).toBe(30);
  });
});
