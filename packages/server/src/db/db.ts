import { createHash } from 'node:crypto';
import type { Sql } from 'sql-template-tag';

export interface Queryable {
  query<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>;
  first<Row extends object>(statement: Sql): Promise<Row | undefined>;
  /** For a statement that always returns a row. */
  one<Row extends object>(statement: Sql): Promise<Row>;
  /** The only column of the first row; undefined without a row. */
  value<Value>(statement: Sql): Promise<Value>;
  /** The only column of all rows. */
  column<Value>(statement: Sql): Promise<Value[]>;
  countRows(statement: Sql): Promise<number>;
  hasRows(statement: Sql): Promise<boolean>;
}

/** The short forms, for an object with `query`. */
export const SHORT_FORMS: Omit<Queryable, 'query'> & ThisType<Queryable> = {
  async first(statement) {
    return (await this.query(statement))[0] as never;
  },
  async one(statement) {
    return (await this.query(statement))[0] as never;
  },
  async value(statement) {
    return (await this.column(statement))[0] as never;
  },
  async column(statement) {
    return (await this.query(statement)).map((row) => Object.values(row)[0]) as never;
  },
  async countRows(statement) {
    return (await this.query(statement)).length;
  },
  async hasRows(statement) {
    return (await this.countRows(statement)) > 0;
  },
};

export interface Tx extends Queryable {
  readonly inTransaction: true;
  /** COMMIT is sent with this statement: run nothing after it. */
  last<Row extends object = Record<string, unknown>>(statement: Sql): Promise<Row[]>;
  /** `tx` still returns its result. Not allowed after `last`. */
  rollback(): void;
}

export interface TxOptions {
  keepPlans?: boolean;
  snapshot?: boolean;
}

/** Inside `tx` use only the given `Tx`: on PGlite the outer handle waits for the transaction to end. */
export interface Db extends Queryable {
  readonly engine: 'postgres' | 'pglite';
  /** Rolls back when `work` throws or called `rollback`. @throws CommitUnknown, DatabaseUnavailable */
  tx<T>(work: (tx: Tx) => Promise<T>, options?: TxOptions): Promise<T>;
  close(): Promise<void>;
  pool?(): { size: number; idle: number; waiting: number };
}

/** Nothing was written. Clients may read the message, so it names no host. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable';
  readonly reason: string | undefined;
  readonly permanent: boolean;
  constructor(message: string, options: ErrorOptions & { reason?: string; permanent?: boolean } = {}) {
    super(message, options);
    this.reason = options.reason;
    this.permanent = options.permanent ?? false;
  }
}

/** The connection was lost after COMMIT was sent. A retry with the same key is safe. */
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

/** A defect of this application; `code` is the SQLSTATE. */
export class StatementFailed extends Error {
  override name = 'StatementFailed';
  readonly code: string;
  constructor(code: string, reason: string) {
    super(`statement failed (${code}): ${reason}`);
    this.code = code;
  }
}

const TRIES = 5;

export async function retryOnUniqueViolation<T>(work: () => Promise<T>): Promise<T> {
  for (let left = TRIES; ; left--) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof UniqueViolation) || left === 1) throw error;
    }
  }
}

const hot = new WeakSet<Sql>();
const names = new Map<string, string>();

/** Planned once per connection. Keep the number of texts small: pass an array as one parameter. */
export function prepared(statement: Sql): Sql {
  hot.add(statement);
  return statement;
}

export const isPrepared = (statement: Sql): boolean => hot.has(statement);

export function preparedName(statement: Sql): string | undefined {
  if (!hot.has(statement)) return undefined;
  const { text } = statement;
  let name = names.get(text);
  if (name === undefined) {
    name = `svc_${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
    names.set(text, name);
  }
  return name;
}
