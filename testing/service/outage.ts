import { type Db, DatabaseUnavailable, SHORT_FORMS } from '../../packages/server/src/db/db.ts';
import type { TestDatabase } from '../database/test-database.ts';

export function withOutage(db: TestDatabase, outage: { on: boolean }): Db {
  const check = (): void => {
    if (outage.on) throw new DatabaseUnavailable('the database cannot be reached');
  };
  return {
    ...SHORT_FORMS,
    engine: db.engine,
    query: async (statement) => (check(), db.query(statement)),
    tx: async (work, options) => (check(), db.tx(work, options)),
    close: () => db.close(),
  };
}
