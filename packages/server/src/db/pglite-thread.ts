/**
 * A long statement must not block requests, so the embedded database runs in a thread. Requests arrive as messages
 * from pglite.ts and run in order.
 */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, protocol } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { KEEP_PLANS } from './sessions.ts';
import { PARSERS } from './parameters.ts';

export interface ThreadOptions {
  dataDir?: string;
  dumped?: string;
  pgliteWasmModule: WebAssembly.Module;
}

interface QueryRequest {
  query: string;
  values: (string | null)[];
  name: string | undefined;
  keepsPlan: boolean;
}

export type ThreadRequest = { id: number } & (
  | QueryRequest
  | { exec: string }
  | { dump: true }
  | { close: true }
);

interface QueryResult {
  columns: string[];
  rows: unknown[][];
  byteColumns: number[];
}

export type ThreadAnswer = { id: number } & (
  | QueryResult
  | { dump: Blob }
  | { done: true }
  | { failure: { message: string; code: string | undefined; constraint: string | undefined } }
);

const BYTEA = 17;
const {
  serialize,
  messages: { DataRowMessage, RowDescriptionMessage },
} = protocol;

keepByteOrderMarks();
const { dataDir, dumped, pgliteWasmModule } = workerData as ThreadOptions;
const opened = PGlite.create({
  pgliteWasmModule,
  ...(dataDir !== undefined && { dataDir }),
  ...(dumped !== undefined && { loadDataDir: new Blob([readFileSync(dumped)]) }),
  extensions: { pg_trgm },
  // Posting a small Buffer would copy the whole pool that it is cut from.
  parsers: { ...PARSERS, [BYTEA]: (text: string) => text },
});

const parsed = new Set<string>();

const KEEP_PLANS_NAME = 'keep_plans';

async function parseOnce(pglite: PGlite, name: string, text: string): Promise<void> {
  if (parsed.has(name)) return;
  // Parsed separately, so it stays parsed if running it fails.
  await pglite.execProtocol(Buffer.concat([serialize.parse({ name, text }), serialize.sync()]));
  parsed.add(name);
}

/** One message; `PGlite.query` sends five. A named statement is parsed once. */
async function query(pglite: PGlite, request: QueryRequest): Promise<QueryResult> {
  const { query: text, values, name, keepsPlan } = request;
  if (name !== undefined) await parseOnce(pglite, name, text);
  if (keepsPlan) await parseOnce(pglite, KEEP_PLANS_NAME, KEEP_PLANS);
  const { messages } = await pglite.execProtocol(
    Buffer.concat([
      ...(keepsPlan ? [serialize.bind({ statement: KEEP_PLANS_NAME }), serialize.execute({})] : []),
      ...(name === undefined ? [serialize.parse({ text })] : []),
      serialize.bind({ statement: name ?? '', values }),
      serialize.describe({ type: 'P' }),
      serialize.execute({}),
      serialize.sync(),
    ]),
  );
  let fields: { name: string; dataTypeID: number }[] | undefined;
  const rows: unknown[][] = [];
  for (const message of messages) {
    if (message instanceof RowDescriptionMessage) ({ fields } = message);
    else if (message instanceof DataRowMessage && fields) rows.push(valuesOf(fields, message.fields));
  }
  const columns = fields ?? [];
  return {
    columns: columns.map(({ name }) => name),
    rows,
    byteColumns: columns.flatMap(({ dataTypeID }, at) => (dataTypeID === BYTEA ? [at] : [])),
  };

  function valuesOf(types: NonNullable<typeof fields>, row: (string | null)[]): unknown[] {
    const read = (value: string | null, type: number): unknown =>
      value === null ? null : (pglite.parsers[type]?.(value, type) ?? value);
    return types.map(({ dataTypeID }, at) => read(row[at]!, dataTypeID));
  }
}

async function handle(request: ThreadRequest): Promise<ThreadAnswer> {
  const { id } = request;
  try {
    const pglite = await opened;
    if ('query' in request) return { id, ...(await query(pglite, request)) };
    if ('dump' in request) return { id, dump: await pglite.dumpDataDir('none') };
    if ('exec' in request) await pglite.exec(request.exec);
    else await pglite.close();
    return { id, done: true };
  } catch (error) {
    const { message, code, constraint } = error as { message: string; code?: string; constraint?: string };
    return { id, failure: { message, code, constraint } };
  }
}

let turn: Promise<void> = Promise.resolve();
parentPort!.on('message', (request: ThreadRequest) => {
  turn = turn.then(async () => parentPort!.postMessage(await handle(request)));
});

/**
 * PGlite's `TextDecoder` drops a leading byte order mark, so the text would not match its hash. This replaces the
 * class for decoders made without options.
 */
function keepByteOrderMarks(): void {
  const Original = globalThis.TextDecoder;
  if ('keepsByteOrderMarks' in Original) return;
  globalThis.TextDecoder = class extends Original {
    static readonly keepsByteOrderMarks = true;
    constructor(label?: string, options?: ConstructorParameters<typeof TextDecoder>[1]) {
      super(label, options ?? { ignoreBOM: true });
    }
  };
}
