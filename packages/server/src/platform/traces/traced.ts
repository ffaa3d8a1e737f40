// Adds spans to the database and to outgoing requests. A span contains no parameter.
import type { ChainReader } from '@svc/verifier';
import type { Sql } from 'sql-template-tag';
import { type Db, SHORT_FORMS } from '../../db/db.ts';

export function tracedDb(db: Db, traces: Traces): Db {
  return {
    ...SHORT_FORMS,
    engine: db.engine,
    query: (statement) => traces.part('db.statement', attributesOf(statement), () => db.query(statement)),
    tx: (work, options) =>
      traces.part('db.transaction', {}, () =>
        db.tx(
          (tx) =>
            work({
              ...SHORT_FORMS,
              inTransaction: true,
              query: (statement) =>
                traces.part('db.statement', attributesOf(statement), () => tx.query(statement)),
              last: (statement) =>
                traces.part('db.statement', attributesOf(statement), () => tx.last(statement)),
              rollback: () => tx.rollback(),
            }),
          options,
        ),
      ),
    ...(db.pool && { pool: () => db.pool!() }),
    close: () => db.close(),
  };
}

export function tracedReader(reader: ChainReader, traces: Traces): ChainReader {
  return {
    attestation: (...question) => traces.part('chain.attestation', {}, () => reader.attestation(...question)),
  };
}

function attributesOf({ strings }: Sql): Attributes {
  const word = /^\s*([a-z]+)/i.exec(strings[0] ?? '')?.[1];
  return { 'db.operation.name': word?.toLowerCase() ?? 'unknown' };
}

type Attributes = Readonly<Record<string, string | number>>;

export interface RequestSpan {
  enter(go: () => void): void;
  end(operation: string, status: number): void;
}

export interface Traces {
  request(method: string, traceparent: string | undefined): RequestSpan;
  /** Runs `work` in a span of the current request, if there is one. */
  part<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  stop(): Promise<void>;
}
