/**
 * The embedded database, in a thread of its own: what it works on for long holds up no request. It is told what to do by
 * messages, one after the other, and answers in their order (pglite.ts).
 */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, type SerializerOptions } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { keepByteOrderMarks } from './byte-order-marks.ts';
import { PARSERS } from './types.ts';

export interface ThreadOptions {
  dataDir?: string;
  dumped?: string;
  /** compiled already: threads share it */
  pgliteWasmModule: WebAssembly.Module;
}

export type ThreadRequest = { id: number } & (
  { ask: string; values: (string | null)[] } | { say: string } | { dump: true } | { close: true }
);

/** What came of a request; of a failure only what `translate` looks at. */
export type ThreadAnswer = { id: number } & (
  | { rows: Record<string, unknown>[]; byteColumns: string[] }
  | { dump: Blob }
  | { done: true }
  | { failure: { message: string; code: string | undefined; constraint: string | undefined } }
);

const BYTEA = 17;

/** Our parameters are text already; these keep PGlite from converting them again. */
const asIs = (value: unknown): string => value as string;
const serializers: SerializerOptions = Object.fromEntries(Object.keys(PARSERS).map((oid) => [oid, asIs]));

keepByteOrderMarks();
const { dataDir, dumped, pgliteWasmModule } = workerData as ThreadOptions;
const opened = PGlite.create({
  pgliteWasmModule,
  ...(dataDir !== undefined && { dataDir }),
  ...(dumped !== undefined && { loadDataDir: new Blob([readFileSync(dumped)]) }),
  extensions: { pg_trgm },
  // Bytes stay text on their way: a message would copy the whole pool that a small Buffer is cut from.
  parsers: { ...PARSERS, [BYTEA]: (text: string) => text },
  serializers,
});

async function carryOut(request: ThreadRequest): Promise<ThreadAnswer> {
  const { id } = request;
  try {
    const pglite = await opened;
    if ('ask' in request) {
      const { rows, fields } = await pglite.query<Record<string, unknown>>(request.ask, request.values);
      const byteColumns = fields.filter(({ dataTypeID }) => dataTypeID === BYTEA).map(({ name }) => name);
      return { id, rows, byteColumns };
    }
    if ('dump' in request) return { id, dump: await pglite.dumpDataDir('none') };
    if ('say' in request) await pglite.exec(request.say);
    else await pglite.close();
    return { id, done: true };
  } catch (error) {
    const { message, code, constraint } = error as { message: string; code?: string; constraint?: string };
    return { id, failure: { message, code, constraint } };
  }
}

let turn: Promise<void> = Promise.resolve();
parentPort!.on('message', (request: ThreadRequest) => {
  turn = turn.then(async () => parentPort!.postMessage(await carryOut(request)));
});
