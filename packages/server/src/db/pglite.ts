import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Sql } from 'sql-template-tag';
import { DatabaseUnavailable, type Db, isPrepared, preparedName, SHORT_FORMS, type Tx } from './db.ts';
import { lockDirectory } from './directory-lock.ts';
import { translate } from './failures.ts';
import { PARSERS, type Row, toParameter, toRows } from './parameters.ts';
import type { ThreadAnswer, ThreadOptions, ThreadRequest } from './pglite-thread.ts';
import { sessions } from './sessions.ts';

export interface PgliteOptions {
  dataDir?: string;
  dumped?: string;
}

const session = sessions('none', { statementTimeout: 0 });

/** PGlite does not lock its directory. */
export async function openPglite(options: PgliteOptions = {}): Promise<Db & { dump(): Promise<Blob> }> {
  const lock = options.dataDir === undefined ? undefined : await lockDirectory(options.dataDir);
  const thread = startThread({ ...options, pgliteWasmModule: await (compiled ??= compile()) });
  try {
    await thread.exec("set timezone = 'UTC'; set datestyle = 'ISO'");
  } catch (error) {
    await thread.end();
    await lock?.release();
    throw error;
  }

  const run = async (statement: Sql, keepsPlan: boolean): Promise<never> => {
    try {
      return (await thread.query(statement, keepsPlan)) as never;
    } catch (error) {
      throw translate(error);
    }
  };
  let underWay = 0;
  let lastTurn: Promise<void> = Promise.resolve();

  return {
    ...SHORT_FORMS,
    engine: 'pglite',
    async query(statement) {
      if (underWay > 0) await lastTurn;
      return run(statement, isPrepared(statement));
    },
    async dump() {
      if (underWay > 0) await lastTurn;
      return thread.dump();
    },
    async tx(work, { keepPlans = false } = {}) {
      const before = lastTurn;
      let end!: () => void;
      lastTurn = new Promise((resolve) => (end = resolve));
      underWay++;
      await before;
      try {
        const query: Tx['query'] = (statement) => run(statement, false);
        return await transaction(thread, session.begin({ keepPlans }), query, work);
      } finally {
        underWay--;
        end();
      }
    },
    async close() {
      await lastTurn;
      await thread.close();
      await lock?.release();
    },
  };
}

async function transaction<T>(thread: Thread, begin: string, run: Tx['query'], work: (tx: Tx) => Promise<T>) {
  // PostgreSQL answers COMMIT after a failed statement with a rollback and no error.
  let failed: Error | undefined;
  let discarded = false;
  const query = (statement: Sql): Promise<never> =>
    run(statement).catch((error: unknown) => {
      failed ??= error as Error;
      throw error;
    }) as Promise<never>;
  try {
    const begun = thread.exec(begin);
    begun.catch(() => {});
    const rollback = () => void (discarded = true);
    const result = await work({ ...SHORT_FORMS, inTransaction: true, query, last: query, rollback });
    await begun;
    if (failed) throw failed;
    await (discarded ? thread.exec('rollback').catch(() => {}) : thread.exec('commit'));
    return result;
  } catch (error) {
    await thread.exec('rollback').catch(() => {});
    throw translate(error);
  }
}

interface Thread {
  query(statement: Sql, keepsPlan: boolean): Promise<Row[]>;
  exec(statements: string): Promise<void>;
  dump(): Promise<Blob>;
  close(): Promise<void>;
  end(): Promise<void>;
}

const THREAD = createRequire(import.meta.url).resolve('#pglite-thread');

/** Compiling is half the cost of opening a database. */
let compiled: Promise<WebAssembly.Module> | undefined;

async function compile(): Promise<WebAssembly.Module> {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  return WebAssembly.compile(await readFile(join(folder, 'pglite.wasm')));
}

function startThread(options: ThreadOptions): Thread {
  type Result = Exclude<ThreadAnswer, { failure: unknown }>;
  const waiting = new Map<number, { resolve: (result: Result) => void; reject: (error: Error) => void }>();
  let lastId = 0;
  let lost: Error | undefined;
  // The thread must not get our settings: some are secret.
  const worker = new Worker(THREAD, { env: {}, execArgv: [], workerData: options });
  worker.on('message', (answer: ThreadAnswer) => {
    const { resolve, reject } = waiting.get(answer.id)!;
    waiting.delete(answer.id);
    if (waiting.size === 0) worker.unref();
    if ('failure' in answer) reject(Object.assign(new Error(answer.failure.message), answer.failure));
    else resolve(answer);
  });
  const lose = (error: Error): void => {
    lost ??= error;
    for (const { reject } of waiting.values()) reject(lost);
    waiting.clear();
  };
  worker.on('error', (error: Error) =>
    lose(new DatabaseUnavailable('the embedded database has failed', { cause: error })),
  );
  worker.on('exit', () => lose(new DatabaseUnavailable('the embedded database is closed')));

  const send = <Wanted extends Result>(request: DistributiveOmit<ThreadRequest, 'id'>): Promise<Wanted> =>
    new Promise((resolve, reject) => {
      if (lost) return reject(lost);
      const id = lastId++;
      waiting.set(id, { resolve: resolve as (result: Result) => void, reject });
      worker.ref();
      worker.postMessage({ id, ...request });
    });

  return {
    async query(statement, keepsPlan) {
      const values = statement.values.map(toParameter);
      const { columns, rows, byteColumns } = await send<Extract<Result, { rows: unknown }>>({
        query: statement.text,
        values,
        name: preparedName(statement),
        keepsPlan,
      });
      readBytes(rows, byteColumns);
      return toRows(columns, rows);
    },
    async exec(statements) {
      await send({ exec: statements });
    },
    async dump() {
      return (await send<{ id: number; dump: Blob }>({ dump: true })).dump;
    },
    async close() {
      await send({ close: true });
      await worker.terminate();
    },
    async end() {
      await worker.terminate();
    },
  };
}

type DistributiveOmit<Union, Key extends PropertyKey> = Union extends unknown ? Omit<Union, Key> : never;

function readBytes(rows: readonly unknown[][], columns: readonly number[]): void {
  for (const row of rows) {
    for (const column of columns) {
      const text = row[column];
      if (typeof text === 'string') row[column] = PARSERS[17]!(text);
    }
  }
}
