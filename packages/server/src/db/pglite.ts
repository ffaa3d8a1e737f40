import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Duplex } from 'node:stream';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { run, transact, types } from './connection.ts';
import { DatabaseUnavailable, type Db, isPrepared, SHORT_FORMS } from './db.ts';
import { lockDirectory } from './directory-lock.ts';
import { translate } from './failures.ts';
import type { ThreadOptions } from './pglite-thread.ts';
import { KEEP_PLANS_SETTINGS, sessions } from './sessions.ts';

const session = sessions('none', { statementTimeout: 0 });
const KEEP_PLANS_ALWAYS = Object.entries(KEEP_PLANS_SETTINGS)
  .map(([name, value]) => `set ${name} = ${value}`)
  .join('; ');
const PLAN_ANEW = Object.keys(KEEP_PLANS_SETTINGS)
  .map((name) => `reset ${name}`)
  .join('; ');

/** One session, which the driver reaches as it reaches a server. PGlite does not lock its directory. */
export async function openPglite(options: Omit<ThreadOptions, 'pgliteWasmModule'> = {}): Promise<Db> {
  const lock = options.dataDir === undefined ? undefined : await lockDirectory(options.dataDir);
  const pgliteWasmModule = await (compiled ??= compile());
  const client = new pg.Client({
    host: 'localhost',
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    stream: () => new Thread({ ...options, pgliteWasmModule }),
    types,
    pipeline: true,
  });
  // The statements under way get the error.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    await lock?.release();
    throw error;
  }

  let lastTurn: Promise<void> = Promise.resolve();

  /** Hot statements often follow each other, so their settings stay until a different statement. */
  let keepsPlans = false;
  const setKeepsPlans = (wanted: boolean): void => {
    if (keepsPlans === wanted) return;
    keepsPlans = wanted;
    client.query(wanted ? KEEP_PLANS_ALWAYS : PLAN_ANEW).catch(() => {});
  };

  return {
    ...SHORT_FORMS,
    engine: 'pglite',
    async query(statement) {
      await lastTurn;
      setKeepsPlans(isPrepared(statement));
      try {
        return (await run(client, session, statement)) as never;
      } catch (error) {
        throw translate(error);
      }
    },
    async tx(work, options = {}) {
      const before = lastTurn;
      let end!: () => void;
      lastTurn = new Promise((resolve) => (end = resolve));
      await before;
      if (!options.keepPlans) setKeepsPlans(false);
      try {
        return await transact(client, session, work, options, () => {});
      } catch (error) {
        // The next transaction uses this session too.
        await client.query('rollback').catch(() => {});
        throw translate(error);
      } finally {
        end();
      }
    },
    async close() {
      await lastTurn;
      await client.end();
      await lock?.release();
    },
  };
}

const THREAD = createRequire(import.meta.url).resolve('#pglite-thread');

/** Compiling is half the cost of opening a database. */
let compiled: Promise<WebAssembly.Module> | undefined;

async function compile(): Promise<WebAssembly.Module> {
  const folder = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'));
  return WebAssembly.compile(await readFile(join(folder, 'pglite.wasm')));
}

/** The socket of the driver. The process may end while no answer is awaited. */
class Thread extends Duplex {
  readonly #worker: Worker;
  #awaited = 0;

  constructor(options: ThreadOptions) {
    super();
    // The thread must not get our settings: some are secret.
    this.#worker = new Worker(THREAD, { env: {}, execArgv: [], workerData: options });
    this.#worker.on('message', (answer: Uint8Array | Error) => {
      if (--this.#awaited === 0) this.#worker.unref();
      if (answer instanceof Error) this.destroy(answer);
      else this.push(answer);
    });
    this.#worker.on('error', (cause) =>
      this.destroy(new DatabaseUnavailable('the embedded database has failed', { cause })),
    );
    this.#worker.on('exit', () => this.destroy(new DatabaseUnavailable('the embedded database is closed')));
  }

  connect(): void {
    queueMicrotask(() => this.emit('connect'));
  }

  setNoDelay(): void {}

  override _read(): void {}

  override _writev(chunks: { chunk: Buffer }[], done: () => void): void {
    const bytes = new Uint8Array(Buffer.concat(chunks.map(({ chunk }) => chunk)));
    this.#awaited++;
    this.#worker.ref();
    this.#worker.postMessage(bytes, [bytes.buffer]);
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    void this.#worker.terminate().then(() => done(error));
  }
}
