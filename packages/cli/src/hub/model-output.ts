// Streams the rows of a CSV or Parquet file. The parsers are loaded when they are needed.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import * as zlib from 'node:zlib';
import { present, type Progress } from '../context.ts';
import { CommandError, failError } from '../exit.ts';
import { cannotRead } from '../input-file.ts';

/** null: an empty cell, or NA */
export type Row = readonly (string | null)[];

/** `integer`, `number`, `text`, `date`, `null`, or the name of another Parquet type. CSV: `any`. */
export type ColumnKind = string;

export interface Table {
  columns: readonly string[];
  kinds: readonly ColumnKind[];
  /** what the number of a row counts, and the number of the first one */
  counts: readonly ['line', 2] | readonly ['row', 1];
  /** in chunks, once */
  rows: AsyncIterable<readonly Row[]>;
}

export async function openTable(path: string, progress: Progress): Promise<Table> {
  try {
    const table = await (path.endsWith('.parquet') ? openParquet : openCsv)(path, progress);
    return { ...table, rows: readRows(path, table, progress) };
  } catch (error) {
    throw asFault(path, error);
  }
}

async function* readRows(path: string, { rows }: Table, progress: Progress): AsyncGenerator<readonly Row[]> {
  try {
    yield* rows;
  } catch (error) {
    throw asFault(path, error);
  } finally {
    progress.clear();
  }
}

/** null: the file has no such column, or no row */
export async function firstValue(path: string, column: string, progress: Progress): Promise<string | null> {
  const { columns, rows } = await openTable(path, progress);
  for await (const [row] of rows) return row?.[columns.indexOf(column)] ?? null;
  return null;
}

const asFault = (path: string, error: unknown): CommandError =>
  error instanceof CommandError || (error as NodeJS.ErrnoException).syscall !== undefined
    ? cannotRead(path, error)
    : failError(`${path} cannot be parsed: ${(error as Error).message}`);

const CHUNK = 10_000;

async function openCsv(path: string, progress: Progress): Promise<Table> {
  const { parse } = await import('csv-parse');
  const { size } = await stat(path);
  const file = createReadStream(path, { highWaterMark: 1_048_576 });
  const parser = parse({
    bom: true,
    max_record_size: 1_048_576,
    skip_empty_lines: true,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  let read = 0;
  file.on('data', (chunk) => progress.show('rows checked, bytes', (read += chunk.length), size));
  file.on('error', (error) => parser.destroy(error));
  parser.on('close', () => file.destroy());
  const records = file.pipe(parser)[Symbol.asyncIterator]() as AsyncIterableIterator<string[]>;
  const first = await records.next();
  if (first.done === true) throw failError(`${path} is empty`);
  async function* rows() {
    let chunk: Row[] = [];
    for await (const record of records) {
      // The option `cast` of the parser takes ten times as long.
      const row = record.map((cell) => (cell === '' || cell === 'NA' ? null : cell));
      if (chunk.push(row) < CHUNK) continue;
      yield chunk;
      chunk = [];
    }
    yield chunk;
  }
  const columns = first.value;
  return { columns, kinds: columns.map(() => 'any'), counts: ['line', 2], rows: rows() };
}

/** Rows of a column. Each chunk decodes its pages from their start, and a page may have a million rows. */
const PARQUET_CHUNK = 131_072;
/** Node.js before 22.15 has no zstd. */
const { zstdDecompressSync: ZSTD } = zlib as { zstdDecompressSync?: (bytes: Uint8Array) => Uint8Array };
/** Snappy is part of the parser. */
const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => zlib.gunzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => zlib.brotliDecompressSync(bytes),
  ...present({ ZSTD }),
};

const READABLE: readonly string[] = ['UNCOMPRESSED', 'SNAPPY', ...Object.keys(COMPRESSORS)];

async function openParquet(path: string, progress: Progress): Promise<Table> {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetScan, parquetSchema } = await import('hyparquet');
  await stat(path);
  const file = await asyncBufferFromFile(path);
  const metadata = await parquetMetadataAsync(file);
  const codecs = metadata.row_groups.flatMap((group) => group.columns.map((one) => one.meta_data?.codec));
  const codec = codecs.find((one) => one !== undefined && !READABLE.includes(one));
  if (codec !== undefined) throw failError(codecWords(path, codec));
  const { children } = parquetSchema(metadata);
  const columns = children.map(({ element }) => element.name);
  const texts = children.map(({ element }) => (element.type === 'FLOAT' ? floatText : textOf));
  const total = Number(metadata.num_rows);
  async function* rows() {
    const scan = await parquetScan({ file, metadata, compressors: COMPRESSORS });
    for (const { rowStart: first, rowEnd: last } of scan.ranges)
      for (let rowStart = first; rowStart < last; rowStart += PARQUET_CHUNK) {
        progress.show('rows checked', rowStart, total);
        const rowEnd = Math.min(rowStart + PARQUET_CHUNK, last);
        const cells: ArrayLike<unknown>[] = [];
        // One after the other: the pages of all columns at once would need several times the memory.
        for (const column of columns) cells.push(await scan.readColumn({ column, rowStart, rowEnd }));
        // The rows need several times the memory of the columns.
        for (let from = 0; from < rowEnd - rowStart; from += CHUNK)
          yield Array.from({ length: Math.min(CHUNK, rowEnd - rowStart - from) }, (_, at) =>
            cells.map((column, of) => texts[of]!(column[from + at] as Value)),
          );
      }
  }
  return { columns, kinds: children.map(kindOf), counts: ['row', 1], rows: rows() };
}

function codecWords(path: string, codec: string): string {
  const why =
    codec === 'ZSTD' ? `Node.js ${process.versions.node} cannot read: use 22.15 or newer` : 'svc cannot read';
  const others = READABLE.slice(1).join(', ').toLowerCase();
  return `${path} is compressed with ${codec}, which ${why}; or write the file with one of ${others}`;
}

interface SchemaNode {
  children: unknown[];
  element: { type?: string; converted_type?: string; logical_type?: { type: string } };
}

function kindOf({ children, element }: SchemaNode): ColumnKind {
  const { type = 'GROUP', converted_type: converted, logical_type: logical } = element;
  const name = logical?.type ?? converted ?? type;
  if (children.length > 0) return 'GROUP';
  if (/^(STRING|UTF8|ENUM|BYTE_ARRAY)$/.test(name)) return 'text';
  if (/^(U?INT_?\d+|INTEGER)$/.test(name) && name !== 'INT96') return 'integer';
  return { DOUBLE: 'number', FLOAT: 'number', DATE: 'date', NULL: 'null' }[name] ?? name;
}

type Value = string | number | bigint | boolean | Date | null | undefined;

const textOf = (value: Value): string | null =>
  value instanceof Date ? value.toISOString().slice(0, 10) : (value?.toString() ?? null);

/** The shortest decimal of a 32-bit number: 0.1, not 0.10000000149011612. */
function floatText(value: Value): string | null {
  const shortest = [7, 8].map((digits) => Number(Number(value).toPrecision(digits)));
  return textOf(
    typeof value === 'number' ? (shortest.find((one) => Math.fround(one) === value) ?? value) : value,
  );
}
