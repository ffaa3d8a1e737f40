import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { CommitUnknown, type Db, type Tx } from './db.ts';
import { isUnreachable, translate } from './failures.ts';
import { toParameter } from './parameters.ts';
import { PARSERS } from './types.ts';

export interface PostgresOptions {
  /** `postgres://…`; never logged */
  url: string;
  /** connections at most, default 10 */
  poolSize?: number;
  /** milliseconds a statement may run, default 15,000 */
  statementTimeout?: number;
  /** parameters of the sessions, beside time zone and date style */
  parameters?: Readonly<Record<string, string | number>>;
}

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const ours = format === 'binary' ? undefined : PARSERS[oid];
    return (ours ?? pg.types.getTypeParser(oid, format)) as (text: string) => unknown;
  },
};

async function run(client: pg.Pool | pg.ClientBase, statement: Sql): Promise<Record<string, unknown>[]> {
  try {
    const result = await client.query<Record<string, unknown>>({
      text: statement.text,
      values: statement.values.map(toParameter),
    });
    return result.rows;
  } catch (error) {
    throw translate(error);
  }
}

/** @throws DatabaseUnavailable from the first statement on, not from here: the pool connects when used. */
export function openPostgres(options: PostgresOptions): Db {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 5_000,
    statement_timeout: options.statementTimeout ?? 15_000,
    idle_in_transaction_session_timeout: 30_000,
    options: Object.entries({ timezone: 'UTC', datestyle: 'ISO', ...options.parameters })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types,
  });
  // An idle connection that the server closes is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});

  return {
    engine: 'postgres',
    query: (statement) => run(pool, statement) as never,
    close: () => pool.end(),
    async tx(work) {
      let client: pg.PoolClient;
      try {
        client = await pool.connect();
      } catch (error) {
        throw translate(error);
      }
      // A connection cut between two statements is reported here first, and by the next statement too.
      const ignore = (): void => {};
      client.on('error', ignore);
      let broken = false;
      let committing = false;
      try {
        await client.query('begin');
        const tx: Tx = { inTransaction: true, query: (statement) => run(client, statement) as never };
        const result = await work(tx);
        committing = true;
        await client.query('commit');
        return result;
      } catch (error) {
        broken = isUnreachable(error);
        if (committing && broken)
          throw new CommitUnknown('the connection was lost at COMMIT', { cause: error });
        if (!broken) await client.query('rollback').catch(() => (broken = true));
        throw translate(error);
      } finally {
        client.off('error', ignore);
        client.release(broken);
      }
    },
  };
}
