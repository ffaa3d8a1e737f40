import sql, { type Sql } from 'sql-template-tag';
import { type Queryable, SHORT_FORMS } from '../../packages/server/src/db/db.ts';

export async function plansOf(
  db: Queryable,
  work: (watched: Queryable) => Promise<unknown>,
): Promise<string[]> {
  const plans: string[] = [];
  await work({
    ...SHORT_FORMS,
    async query<Row extends object>(statement: Sql): Promise<Row[]> {
      const lines = await db.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`);
      plans.push(lines.map((line) => line['QUERY PLAN']).join('\n'));
      return db.query<Row>(statement);
    },
  });
  return plans;
}
