import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { CommitUnknown, type Db, StatementFailed, type Tx } from './db.ts';
import { isUnreachable, translate } from './failures.ts';
import { databaseUrls, WrongServer, Servers } from './hosts.ts';
import { queryRows } from './list-query.ts';
import { toParameter } from './parameters.ts';
import { isPrepared, preparedName } from './prepared.ts';
import type { Row } from './rows.ts';
import { KEEPING_PLANS, type Pooler, saysStandby, sessions, type Sessions } from './sessions.ts';
import { PARSERS } from './types.ts';

export interface PostgresOptions {
  /** `postgres://…`, with one server or several of which one is the primary; never logged */
  url: string;
  /** connections at most, default 10 */
  poolSize?: number;
  /** milliseconds a statement may run, default 15,000 */
  statementTimeout?: number;
  /** parameters of the sessions, beside time zone and date style */
  parameters?: Readonly<Record<string, string | number>>;
  /** default `none` */
  pooler?: Pooler;
  /** asks the standbys of the url, never a primary; nothing is written there */
  standby?: boolean;
}

const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const ours = format === 'binary' ? undefined : PARSERS[oid];
    return (ours ?? pg.types.getTypeParser(oid, format)) as (text: string) => unknown;
  },
};

const CONNECT_MS = 5_000;
/** A server that is gone without a word is given up this much later than it would itself give up a statement. */
const SILENCE_MS = 5_000;
const KEEP_ALIVE_MS = 10_000;

async function run(client: pg.ClientBase, statement: Sql, name: string | undefined): Promise<Row[]> {
  together(client);
  return queryRows(client, {
    ...(name !== undefined && { name }),
    text: statement.text,
    values: statement.values.map(toParameter),
  });
}

/** Connections for prepared statements outside transactions, beside the others. */
const HOT_CONNECTIONS = 3;

/** What is said to the server at one moment leaves in one write: it is the write that costs, not its bytes. */
function together(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  queueMicrotask(() => stream.uncork());
}

/** Runs in no transaction. */
const ALONE = /^\s*vacuum\b/i;

/**
 * The primary among the servers of the url. When it fails and a standby is promoted, connections find the new one by
 * themselves: what was under way fails as unavailable, what comes after the promotion succeeds.
 * @throws DatabaseUnavailable from the first statement on, not from here: the pools connect when used.
 */
export function openPostgres(options: PostgresOptions): Db {
  const { url, poolSize = 10, statementTimeout = 15_000, parameters, pooler = 'none' } = options;
  const role = options.standby === true ? 'standby' : 'primary';
  const servers = new Servers(databaseUrls(url, role), role);
  const reading = role === 'standby';
  const told = sessions(pooler, { statementTimeout, parameters, reading });
  const main = openPool(servers, told, { max: poolSize, statementTimeout });
  const keeping = sessions(pooler, {
    statementTimeout,
    parameters: { ...parameters, ...KEEPING_PLANS },
    reading,
  });
  const hot = told.kept ? openPool(servers, keeping, { max: HOT_CONNECTIONS, statementTimeout }) : main;
  const pools = [...new Set([main.pool, hot.pool])];
  const sum = (count: (pool: pg.Pool) => number): number =>
    pools.reduce((total, pool) => total + count(pool), 0);
  const named = (statement: Sql): string | undefined => (told.kept ? preparedName(statement) : undefined);

  const db: Db = {
    engine: 'postgres',
    query: (statement) => {
      if (!told.kept && !ALONE.test(statement.text)) return db.tx((tx) => tx.last(statement)) as never;
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
        const ask = (statement: Sql): Promise<Row[]> =>
          run(client, statement, named(statement)).catch((error: unknown) => {
            if (isUnreachable(error)) broke();
            throw translate(error);
          });
        const tx: Tx = {
          inTransaction: true,
          query: (statement) => ask(statement) as never,
          last(statement) {
            const answer = ask(statement);
            committed = heard(commit(client));
            return answer as never;
          },
          rollback: () => void (discarded = true),
        };
        try {
          together(client);
          // Not waited for: it goes out with the first statement, which fails if this does.
          begun = heard(begin(client, told.begin(options)));
          const result = await work(tx);
          await begun;
          if (discarded) {
            await client.query('rollback').catch(broke);
            return result;
          }
          if (options.snapshot) {
            // It has written nothing that could be lost; what the connection is asked next comes behind this.
            void heard(client.query('commit'));
            return result;
          }
          committed ??= commit(client);
          await committed;
          return result;
        } catch (error) {
          const unreachable = isUnreachable(error);
          if (committed && unreachable)
            throw new CommitUnknown('the connection was lost at COMMIT', { cause: error });
          // A commit behind a statement that failed is a rollback.
          if (!unreachable) await (committed?.catch(() => {}) ?? client.query('rollback').catch(broke));
          // What never began failed for that, whatever the statements behind it were told.
          await begun;
          throw error;
        }
      }),
  };
  return db;
}

/** @throws WrongServer when the server behind a pooler has become a standby */
async function begin(client: pg.ClientBase, said: string): Promise<void> {
  try {
    await client.query(said);
  } catch (error) {
    throw saysStandby(error) ? new WrongServer('the server takes no writes') : error;
  }
}

/** A promise that is looked at later: until then its failure is nobody's. */
function heard<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}

interface Pool {
  pool: pg.Pool;
  /** Runs `work` with a connection to the primary, which goes back to the pool unless it broke. */
  withClient<T>(work: (client: pg.PoolClient, broke: () => void) => Promise<T>): Promise<T>;
}

function openPool(
  servers: Servers,
  told: Sessions,
  { max, statementTimeout }: { max: number; statementTimeout: number },
): Pool {
  const pool = new pg.Pool({
    max,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...told.opening,
    // A machine that vanished does not even refuse: without this a statement would wait for it a quarter of an hour.
    ...(statementTimeout > 0 && { query_timeout: statementTimeout + SILENCE_MS }),
    types,
    // Statements are sent without waiting for the answers of those before them, and run in their order all the same.
    pipeline: true,
    verify: (client, done) => void servers.check(client).then(() => done(), done),
    Client: servers.client(),
  });
  // An idle connection that the server closes is replaced by the pool; without a listener it would end the process.
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

/** @throws CommitUnknown also when the primary has committed but gave up waiting for its standby */
async function commit(client: pg.PoolClient): Promise<void> {
  let warned = false;
  const note = ({ severity, code }: { severity: string | undefined; code: string | undefined }): void => {
    warned ||= severity === 'WARNING' && code === '01000';
  };
  client.on('notice', note);
  try {
    together(client);
    const { command } = await client.query('commit');
    if (command !== 'COMMIT') throw new StatementFailed('25P02', 'the transaction had failed');
  } finally {
    client.off('notice', note);
  }
  if (warned) throw new CommitUnknown('the standby did not confirm the commit');
}

/** A connection to the server that takes writes; every server is tried once. @throws DatabaseUnavailable */
async function connect(pool: pg.Pool, servers: Servers): Promise<pg.PoolClient> {
  for (const failures: unknown[] = []; ;) {
    try {
      const client = await pool.connect();
      if (!servers.isStale(client)) return client;
      client.release(true);
    } catch (error) {
      // All connections are busy: another server would not help. Whatever else one says of itself, another may not.
      const busy = error instanceof Error && error.message === 'timeout exceeded when trying to connect';
      failures.push(error);
      if (busy || failures.length >= servers.count) throw servers.unavailable(failures);
    }
  }
}
