/**
 * A long statement must not block requests, so the embedded database runs in a thread. pglite.ts sends it messages
 * of PostgreSQL's protocol; each gets one answer, in order.
 */
import { readFileSync } from 'node:fs';
import { exit } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';

export interface ThreadOptions {
  dataDir?: string;
  dumped?: string;
  pgliteWasmModule: WebAssembly.Module;
}

const TERMINATE = 'X'.charCodeAt(0);

async function open({ dumped, ...options }: ThreadOptions): Promise<PGlite> {
  const pglite = await PGlite.create({
    ...options,
    ...(dumped !== undefined && { loadDataDir: new Blob([readFileSync(dumped)]) }),
    extensions: { pg_trgm },
  });
  await pglite.exec("set timezone = 'UTC'; set datestyle = 'ISO'");
  return pglite;
}

const opened = open(workerData as ThreadOptions);

/** An error means that the database is lost. */
async function handle(request: Uint8Array): Promise<Uint8Array | Error> {
  try {
    const pglite = await opened;
    if (request[0] !== TERMINATE) return await pglite.execProtocolRaw(request);
    await pglite.close();
    return exit();
  } catch (error) {
    return error as Error;
  }
}

let turn: Promise<void> = Promise.resolve();
parentPort!.on('message', (request: Uint8Array) => {
  turn = turn.then(async () => parentPort!.postMessage(await handle(request)));
});
