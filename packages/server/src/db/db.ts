import type { Sql } from 'sql-template-tag';

/** A connection, a pool or a transaction: whatever can run SQL. Rows come back with the parsers of types.ts. */
export interface Queryable {
  /** Runs one statement, answers its rows (of `returning`, for writes). */
  query<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>;
}

/** An open transaction (READ COMMITTED unless it asks for a snapshot). Functions that must run inside one ask for this type. */
export interface Tx extends Queryable {
  readonly inTransaction: true;
  /** As `query`, of the transaction's last statement: the commit goes out with it. Nothing may be asked or decided after it. */
  last<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>;
  /** Makes the transaction end with a rollback instead of a commit; `tx` still returns the result of its work. Not after `last`. */
  rollback(): void;
}

export interface TxOptions {
  /** its prepared statements keep the plan they have, whatever their parameters (prepared.ts) */
  keepPlans?: boolean;
  /** reads alone, all of one moment: what one statement counts is what the next one lists (REPEATABLE READ) */
  snapshot?: boolean;
}

/**
 * The one database, over `pg` or PGlite. Inside `tx` use only the `Tx` given: on PGlite the outer handle
 * waits for the transaction to end.
 */
export interface Db extends Queryable {
  readonly engine: 'postgres' | 'pglite';
  /** Commits when `work` resolves, rolls back when it throws or called `rollback`. @throws CommitUnknown, DatabaseUnavailable */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>;
  close(): Promise<void>;
  /** Its connections, where it has several: open, of them idle, and who waits for one. */
  pool?(): { size: number; idle: number; waiting: number };
}

/** The database cannot be reached or is going away; nothing was written. The message names no host: callers may read it. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
  /** for the operator: setting, host, cause and next step */
  readonly reason: string | undefined;
  /** a retry cannot help: the setting or the database must change */
  readonly permanent: boolean;
  constructor(message: string, options: ErrorOptions & { reason?: string; permanent?: boolean } = {}) {
    super(message, options);
    this.reason = options.reason;
    this.permanent = options.permanent ?? false;
  }
}

/** The connection was lost after COMMIT was sent: it may or may not have happened. Retrying with the same key is safe. */
export class CommitUnknown extends DatabaseUnavailable {
  override name = 'CommitUnknown';
}

/** A unique constraint refused the statement. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation';
  readonly constraint: string;
  constructor(constraint: string) {
    super(`unique constraint ${constraint}`);
    this.constraint = constraint;
  }
}

/** The database refused a statement for a reason that is a defect of ours; `code` is the SQLSTATE. */
export class StatementFailed extends Error {
  override name = 'StatementFailed';
  readonly code: string;
  constructor(code: string, reason: string) {
    super(`statement failed (${code}): ${reason}`);
    this.code = code;
  }
}
