import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Sql } from 'sql-template-tag';
import { DatabaseUnavailable, type Db, type Tx } from './db.ts';
import { lockDirectory } from './directory-lock.ts';
import { translate } from './failures.ts';
import { toParameter } from './parameters.ts';
import { isPrepared, preparedName } from './prepared.ts';
import type { ThreadAnswer, ThreadOptions, ThreadRequest } from './pglite-thread.ts';
import { type Row, toRows } from './rows.ts';
import { sessions } from './sessions.ts';
import { PARSERS } from './types.ts';

export interface PgliteOptions {
  /** a directory of its own; in memory when absent */
  dataDir?: string;
  /** a file that holds a `dump` to begin with (tests) */
  dumped?: string;
}

const told = sessions('none', { statementTimeout: 0 });

/**
 * The embedded database. One process a directory: PGlite has no lock of its own, so one is taken here.
 * @throws DirectoryInUse
 */
export async function openPglite(options: PgliteOptions = {}): Promise<Db & { dump(): Promise<Blob> }> {
  const lock = options.dataDir === undefined ? undefined : await lockDirectory(options.dataDir);
  const thread = startThread({ ...options, pgliteWasmModule: await (compiled ??= compile()) });
  try {
    await thread.say("set timezone = 'UTC'; set datestyle = 'ISO'");
  } catch (error) {
    await thread.end();
    await lock?.release();
    throw error;
  }

  const run = async (statement: Sql, keepsPlan: boolean): Promise<never> => {
    try {
      return (await thread.ask(statement, keepsPlan)) as never;
    } catch (error) {
      throw translate(error);
    }
  };
  // There is one connection: transactions take turns, and a statement of its own waits for those before it.
  let underWay = 0;
  let lastTurn: Promise<void> = Promise.resolve();

  return {
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
        const ask: Tx['query'] = (statement) => run(statement, false);
        return await transaction(thread, told.begin({ keepPlans }), ask, work);
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

async function transaction<T>(
  thread: Thread,
  begin: string,
  run: Tx['query'],
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  // A commit after a failure that nobody looked at would be a rollback that nobody hears of.
  let failed: Error | undefined;
  let discarded = false;
  const query = (statement: Sql): Promise<never> =>
    run(statement).catch((error: unknown) => {
      failed ??= error as Error;
      throw error;
    }) as Promise<never>;
  try {
    // What is said is done in its order: nobody needs to wait for it to have begun.
    const begun = thread.say(begin);
    begun.catch(() => {});
    const rollback = () => void (discarded = true);
    const result = await work({ inTransaction: true, query, last: query, rollback });
    await begun;
    if (failed) throw failed;
    await (discarded ? thread.say('rollback').catch(() => {}) : thread.say('commit'));
    return result;
  } catch (error) {
    await thread.say('rollback').catch(() => {});
    throw translate(error);
  }
}

interface Thread {
  ask(statement: Sql, keepsPlan: boolean): Promise<Row[]>;
  /** statements without answers */
  say(statements: string): Promise<void>;
  dump(): Promise<Blob>;
  /** Closes the database, then ends. */
  close(): Promise<void>;
  end(): Promise<void>;
}

/** Its compiled form, also for whoever runs us from our source. */
const THREAD = createRequire(import.meta.url).resolve('#pglite-thread');

/** Half of what opening costs, once a process. */
let compiled: Promise<WebAssembly.Module> | undefined;

async function compile(): Promise<WebAssembly.Module> {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  return WebAssembly.compile(await readFile(join(folder, 'pglite.wasm')));
}

function startThread(options: ThreadOptions): Thread {
  type Result = Exclude<ThreadAnswer, { failure: unknown }>;
  const waiting = new Map<number, { resolve: (result: Result) => void; reject: (error: Error) => void }>();
  let asked = 0;
  let lost: Error | undefined;
  // Neither our settings, some of which are secret, nor the flags we were started with are of any use to it.
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
      const id = asked++;
      waiting.set(id, { resolve: resolve as (result: Result) => void, reject });
      worker.ref();
      worker.postMessage({ id, ...request });
    });

  return {
    async ask(statement, keepsPlan) {
      const values = statement.values.map(toParameter);
      const { columns, rows, byteColumns } = await send<Extract<Result, { rows: unknown }>>({
        ask: statement.text,
        values,
        name: preparedName(statement),
        keepsPlan,
      });
      readBytes(rows, byteColumns);
      return toRows(columns, rows);
    },
    async say(statements) {
      await send({ say: statements });
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
