import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import {
  CommitUnknown,
  type Db,
  isPrepared,
  preparedName,
  SHORT_FORMS,
  StatementFailed,
  type Tx,
} from './db.ts';
import { isUnreachable, translate } from './failures.ts';
import { databaseUrls, WrongServer, Servers } from './hosts.ts';
import { queryRows } from './list-query.ts';
import { PARSERS, type Row, toParameter } from './parameters.ts';
import { KEEP_PLANS_SETTINGS, type Pooler, isStandbyError, sessions, type Sessions } from './sessions.ts';

export interface PostgresOptions {
  url: string;
  poolSize?: number;
  statementTimeout?: number;
  parameters?: Readonly<Record<string, string | number>>;
  pooler?: Pooler;
  standby?: boolean;
}

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const ours = format === 'binary' ? undefined : PARSERS[oid];
    return (ours ?? pg.types.getTypeParser(oid, format)) as (text: string) => unknown;
  },
};

const CONNECT_MS = 5_000;
/** After the server's own statement timeout. */
const SILENCE_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

async function run(client: pg.ClientBase, statement: Sql, name: string | undefined): Promise<Row[]> {
  corkOneTick(client);
  return queryRows(client, {
    ...(name !== undefined && { name }),
    text: statement.text,
    values: statement.values.map(toParameter),
  });
}

const HOT_CONNECTIONS = 3;

/** The cost is per write, not per byte. */
function corkOneTick(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  queueMicrotask(() => stream.uncork());
}

const WITHOUT_TRANSACTION = /^\s*vacuum\b/i;

/**
 * After a failover, running statements fail as unavailable and later ones reach the promoted server.
 * @throws DatabaseUnavailable from the first statement on
 */
export function openPostgres(options: PostgresOptions): Db {
  const { url, poolSize = 10, statementTimeout = 15_000, parameters, pooler = 'none' } = options;
  const role = options.standby === true ? 'standby' : 'primary';
  const servers = new Servers(databaseUrls(url, role), role);
  const reading = role === 'standby';
  const session = sessions(pooler, { statementTimeout, parameters, reading });
  const main = openPool(servers, session, { max: poolSize, statementTimeout });
  const keepingPlans = sessions(pooler, {
    statementTimeout,
    parameters: { ...parameters, ...KEEP_PLANS_SETTINGS },
    reading,
  });
  const hot = session.kept
    ? openPool(servers, keepingPlans, { max: HOT_CONNECTIONS, statementTimeout })
    : main;
  const pools = [...new Set([main.pool, hot.pool])];
  const sum = (count: (pool: pg.Pool) => number): number =>
    pools.reduce((total, pool) => total + count(pool), 0);
  const named = (statement: Sql): string | undefined => (session.kept ? preparedName(statement) : undefined);

  const db: Db = {
    ...SHORT_FORMS,
    engine: 'postgres',
    query: (statement) => {
      if (!session.kept && !WITHOUT_TRANSACTION.test(statement.text))
        return db.tx((tx) => tx.last(statement)) as never;
      const pool = isPrepared(statement) ? hot : main;
      return pool.withClient((client) => run(client, statement, named(statement))) as never;
    },
    async close() {
      await Promise.all(pools.map((pool) => pool.end()));
    },
    pool: () => ({
      size: sum((pool) => pool.totalCount),
      idle: sum((pool) => pool.idleCount),
      waiting: sum((pool) => pool.waitingCount),
    }),
    tx: (work, options = {}) =>
      main.withClient(async (client, broke) => {
        let begun: Promise<unknown> | undefined;
        let committed: Promise<void> | undefined;
        let discarded = false;
        const query = (statement: Sql): Promise<Row[]> =>
          run(client, statement, named(statement)).catch((error: unknown) => {
            if (isUnreachable(error)) broke();
            throw translate(error);
          });
        const tx: Tx = {
          ...SHORT_FORMS,
          inTransaction: true,
          query: (statement) => query(statement) as never,
          last(statement) {
            const answer = query(statement);
            committed = handledLater(commit(client));
            return answer as never;
          },
          rollback: () => void (discarded = true),
        };
        try {
          corkOneTick(client);
          // The first statement fails if BEGIN does.
          begun = handledLater(begin(client, session.begin(options)));
          const result = await work(tx);
          await begun;
          if (discarded) {
            await client.query('rollback').catch(broke);
            return result;
          }
          if (options.snapshot) {
            // Nothing was written; later statements queue behind the COMMIT.
            void handledLater(client.query('commit'));
            return result;
          }
          committed ??= commit(client);
          await committed;
          return result;
        } catch (error) {
          const unreachable = isUnreachable(error);
          if (committed && unreachable)
            throw new CommitUnknown('the connection was lost at COMMIT', { cause: error });
          // COMMIT after a failed statement is a rollback.
          if (!unreachable) await (committed?.catch(() => {}) ?? client.query('rollback').catch(broke));
          await begun;
          throw error;
        }
      }),
  };
  return db;
}

async function begin(client: pg.ClientBase, statement: string): Promise<void> {
  try {
    await client.query(statement);
  } catch (error) {
    throw isStandbyError(error) ? new WrongServer('the server takes no writes') : error;
  }
}

/** The caller awaits it later: its failure must not count as unhandled. */
function handledLater<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

interface Pool {
  pool: pg.Pool;
  withClient<T>(work: (client: pg.PoolClient, broke: () => void) => Promise<T>): Promise<T>;
}

function openPool(
  servers: Servers,
  session: Sessions,
  { max, statementTimeout }: { max: number; statementTimeout: number },
): Pool {
  const pool = new pg.Pool({
    max,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...session.opening,
    // Otherwise a vanished machine blocks a statement for about 15 minutes.
    ...(statementTimeout > 0 && { query_timeout: statementTimeout + SILENCE_MS }),
    types,
    pipeline: true,
    verify: (client, done) => void servers.check(client).then(() => done(), done),
    Client: servers.client(),
  });
  // Without a listener, the error of an idle connection would end the process.
  pool.on('error', () => {});

  return {
    pool,
    async withClient<T>(work: (client: pg.PoolClient, broke: () => void) => Promise<T>): Promise<T> {
      const client = await connect(pool, servers);
      let broken = false;
      try {
        return await work(client, () => (broken = true));
      } catch (error) {
        broken ||= isUnreachable(error);
        throw translate(error);
      } finally {
        client.release(broken);
      }
    },
  };
}

/** @throws CommitUnknown also if the primary stopped waiting for its standby */
async function commit(client: pg.PoolClient): Promise<void> {
  let warned = false;
  const note = ({ severity, code }: { severity: string | undefined; code: string | undefined }): void => {
    warned ||= severity === 'WARNING' && code === '01000';
  };
  client.on('notice', note);
  try {
    corkOneTick(client);
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new StatementFailed('25P02', 'the transaction had failed');
  } finally {
    client.off('notice', note);
  }
  if (warned) throw new CommitUnknown('the standby did not confirm the commit');
}

async function connect(pool: pg.Pool, servers: Servers): Promise<pg.PoolClient> {
  for (const failures: unknown[] = []; ;) {
    try {
      const client = await pool.connect();
      if (!servers.isStale(client)) return client;
      client.release(true);
    } catch (error) {
      // When all connections are busy, a different server would not help.
      const busy = error instanceof Error && error.message === 'timeout exceeded when trying to connect';
      failures.push(error);
      if (busy || failures.length >= servers.count) throw servers.unavailable(failures);
    }
  }
}
