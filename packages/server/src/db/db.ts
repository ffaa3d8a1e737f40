import type { Sql } from 'sql-template-tag';

/** A connection, a pool or a transaction. Values are parsed as in types.ts. */
export interface Queryable {
  /** @returns the rows, or those of `returning` for a write */
  query<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>;
}

/**
 * An open transaction: READ COMMITTED, or REPEATABLE READ with `snapshot`. A function that must run in a transaction
 * takes this type.
 */
export interface Tx extends Queryable {
  readonly inTransaction: true;
  /** Like `query`, for the last statement: COMMIT is sent with it. Run no other statement and make no decision after it. */
  last<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>;
  /** Makes the transaction end with a rollback instead of a commit; `tx` still returns the result of its work. Not after `last`. */
  rollback(): void;
}

export interface TxOptions {
  /** prepared statements reuse their plan for any parameters (prepared.ts) */
  keepPlans?: boolean;
  /** read only, one snapshot for all statements (REPEATABLE READ) */
  snapshot?: boolean;
}

/**
 * The one database, through `pg` or PGlite. Inside `tx` use only the given `Tx`: on PGlite the outer handle waits for
 * the transaction to end.
 */
export interface Db extends Queryable {
  readonly engine: 'postgres' | 'pglite';
  /** Commits when `work` resolves, rolls back when it throws or called `rollback`. @throws CommitUnknown, DatabaseUnavailable */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>;
  close(): Promise<void>;
  /** Counts of the connections, on PostgreSQL: open, idle, and callers waiting for one. */
  pool?(): { size: number; idle: number; waiting: number };
}

/** The database is unreachable or shuts down; nothing was written. The message names no host, because clients may read it. */
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

/**
 * The connection was lost after COMMIT was sent: the transaction may or may not be committed. A retry with the same
 * key is safe.
 */
export class CommitUnknown extends DatabaseUnavailable {
  override name = 'CommitUnknown';
}

export class UniqueViolation extends Error {
  override name = 'UniqueViolation';
  readonly constraint: string;
  constructor(constraint: string) {
    super(`unique constraint ${constraint}`);
    this.constraint = constraint;
  }
}

/** A statement failed because of a defect in this application; `code` is the SQLSTATE. */
export class StatementFailed extends Error {
  override name = 'StatementFailed';
  readonly code: string;
  constructor(code: string, reason: string) {
    super(`statement failed (${code}): ${reason}`);
    this.code = code;
  }
}
