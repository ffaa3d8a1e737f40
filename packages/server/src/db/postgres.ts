import pg from 'pg';
import { run, transact, types } from './connection.ts';
import { type Db, isPrepared, SHORT_FORMS } from './db.ts';
import { isUnreachable, translate } from './failures.ts';
import { databaseUrls, Servers } from './hosts.ts';
import { KEEP_PLANS_SETTINGS, type Pooler, sessions, type Sessions } from './sessions.ts';

export interface PostgresOptions {
  url: string;
  poolSize?: number;
  statementTimeout?: number;
  parameters?: Readonly<Record<string, string | number>>;
  pooler?: Pooler;
  standby?: boolean;
}

const CONNECT_MS = 5_000;
/** After the server's own statement timeout. */
const SILENCE_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

const HOT_CONNECTIONS = 3;

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

  const db: Db = {
    ...SHORT_FORMS,
    engine: 'postgres',
    query: (statement) => {
      if (!session.kept && !WITHOUT_TRANSACTION.test(statement.text))
        return db.tx((tx) => tx.last(statement)) as never;
      const pool = isPrepared(statement) ? hot : main;
      return pool.withClient((client) => run(client, session, statement)) as never;
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
      main.withClient((client, broke) => transact(client, session, work, options, broke)),
  };
  return db;
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
