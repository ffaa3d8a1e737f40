/**
 * The embedded database, in a thread of its own: what it works on for long holds up no request. It is told what to do by
 * messages, one after the other, and answers in their order (pglite.ts).
 */
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, protocol } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { keepByteOrderMarks } from './byte-order-marks.ts';
import { KEEP_PLANS } from './sessions.ts';
import { PARSERS } from './types.ts';

export interface ThreadOptions {
  dataDir?: string;
  dumped?: string;
  /** compiled already: threads share it */
  pgliteWasmModule: WebAssembly.Module;
}

interface Asked {
  ask: string;
  values: (string | null)[];
  name: string | undefined;
  /** outside transactions, which say it as they begin */
  keepsPlan: boolean;
}

export type ThreadRequest = { id: number } & (Asked | { say: string } | { dump: true } | { close: true });

interface Answered {
  columns: string[];
  /** in the order of the columns */
  rows: unknown[][];
  /** places of the columns whose text is bytes */
  byteColumns: number[];
}

/** What came of a request; of a failure only what `translate` looks at. */
export type ThreadAnswer = { id: number } & (
  | Answered
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
  // Bytes stay text on their way: a message would copy the whole pool that a small Buffer is cut from.
  parsers: { ...PARSERS, [BYTEA]: (text: string) => text },
});

/** Statements that this connection has parsed, by their names. */
const parsed = new Set<string>();

/** The name of KEEP_PLANS: it holds for what follows in the same message. */
const KEEPING = 'keep_plans';

async function parseOnce(pglite: PGlite, name: string, text: string): Promise<void> {
  if (parsed.has(name)) return;
  // By itself, for it stays parsed though what is asked of it fails.
  await pglite.execProtocol(Buffer.concat([serialize.parse({ name, text }), serialize.sync()]));
  parsed.add(name);
}

/**
 * One statement in one message: `PGlite.query` sends five, and asks for the types of parameters that are text already.
 * What has a name is parsed once.
 */
async function ask(pglite: PGlite, request: Asked): Promise<Answered> {
  const { ask: text, values, name, keepsPlan } = request;
  if (name !== undefined) await parseOnce(pglite, name, text);
  if (keepsPlan) await parseOnce(pglite, KEEPING, KEEP_PLANS);
  const { messages } = await pglite.execProtocol(
    Buffer.concat([
      ...(keepsPlan ? [serialize.bind({ statement: KEEPING }), serialize.execute({})] : []),
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
    // What comes before its description is the answer of KEEP_PLANS.
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

async function carryOut(request: ThreadRequest): Promise<ThreadAnswer> {
  const { id } = request;
  try {
    const pglite = await opened;
    if ('ask' in request) return { id, ...(await ask(pglite, request)) };
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
