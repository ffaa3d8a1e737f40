import { expect, test } from 'vitest';
import { checkClock } from '../../src/admin/doctor/database.ts';
import { useDatabase } from '../../../../testing/database/test-database.ts';

const db = useDatabase();

/** Each answer takes longer by the next of these milliseconds. @param ahead of the database's clock */
async function check(longer: readonly number[], ahead = 0) {
  let passed = 0;
  const rest = [...longer];
  const slow = new Proxy(db, {
    get: (target, name) =>
      name === 'query'
        ? async (statement: Parameters<typeof db.query>[0]) => {
            const before = passed;
            const rows = await target.query<{ at: string | null }>(statement);
            passed += rest.shift() ?? 0;
            return rows.map(({ at }) => ({ at: at && String(Number(at) + before) }));
          }
        : (Reflect.get(target, name) as unknown),
  });
  return checkClock(slow, () => Date.now() + passed - ahead);
}

test('a slow connection or a slow answer is no difference between the clocks', async () => {
  expect(await check([5_000])).toMatchObject({ status: 'ok' });
  const slow = await check(Array<number>(8).fill(40_000));
  expect(slow).toMatchObject({ status: 'ok', detail: expect.stringMatching(/agree within (20|21)\.\d s$/) });
});

test.each([
  [60_000, 'fail', /^the database's clock is (59|60)\.\d s ahead of this machine's$/],
  [-60_000, 'fail', /^the database's clock is (59|60)\.\d s behind this machine's$/],
  [5_000, 'warn', /^the database's clock is [45]\.\d s ahead of this machine's$/],
])('reports a difference of %s ms', async (ahead, status, words) => {
  const { detail, ...found } = await check([5_000], ahead);
  expect(found).toMatchObject({ status });
  expect(detail).toMatch(words);
});
