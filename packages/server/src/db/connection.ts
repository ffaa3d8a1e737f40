// One PostgreSQL connection: statements, transactions and the forms of values.
import type { Duplex } from 'node:stream';
import pg from 'pg';
import type { Sql } from 'sql-template-tag';
import { CommitUnknown, preparedName, SHORT_FORMS, StatementFailed, type Tx, type TxOptions } from './db.ts';
import { isUnreachable, translate } from './failures.ts';
import { WrongServer } from './hosts.ts';
import { queryRows } from './list-query.ts';
import { PARSERS, type Row, toParameter } from './parameters.ts';
import { isStandbyError, type Sessions } from './sessions.ts';

export const types: pg.CustomTypesConfig = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const ours = format === 'binary' ? undefined : PARSERS[oid];
    return (ours ?? pg.types.getTypeParser(oid, format)) as (text: string) => unknown;
  },
};

/** Only a session that is kept has the names of prepared statements. */
export async function run(client: pg.ClientBase, { kept }: Sessions, statement: Sql): Promise<Row[]> {
  corkOneTick(client);
  const name = kept ? preparedName(statement) : undefined;
  return queryRows(client, {
    ...(name !== undefined && { name }),
    text: statement.text,
    values: statement.values.map(toParameter),
  });
}

/** The cost is per write, not per byte. */
function corkOneTick(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Duplex } }).connection;
  if (stream.writableCorked > 0) return;
  stream.cork();
  queueMicrotask(() => stream.uncork());
}

/** @throws CommitUnknown */
export async function transact<T>(
  client: pg.ClientBase,
  session: Sessions,
  work: (tx: Tx) => Promise<T>,
  options: TxOptions,
  broke: () => void,
): Promise<T> {
  let begun: Promise<unknown> | undefined;
  let committed: Promise<void> | undefined;
  let discarded = false;
  const query = (statement: Sql): Promise<Row[]> =>
    run(client, session, statement).catch((error: unknown) => {
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

/** @throws CommitUnknown also if the primary stopped waiting for its standby */
async function commit(client: pg.ClientBase): Promise<void> {
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
