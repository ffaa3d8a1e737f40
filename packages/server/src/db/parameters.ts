/** PostgreSQL's text form, the same for `pg` and PGlite. */
export function toParameter(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean')
    return String(value);
  if (value instanceof Uint8Array) return toBytea(value);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return `{${value.map(toElement).join(',')}}`;
  throw new TypeError(`cannot pass a ${typeof value} to the database`);
}

const toBytea = (bytes: Uint8Array): string =>
  `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;

const TO_ESCAPE = /["\\]/;

function toElement(value: unknown): string {
  if (value instanceof Uint8Array) return `"\\${toBytea(value)}"`;
  const text = toParameter(value);
  if (text === null) return 'null';
  if (Array.isArray(value)) return text;
  return TO_ESCAPE.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

/**
 * int8 is a safe number, bytea a Buffer. date and timestamptz are text, because a Date would truncate or shift
 * them.
 */
export const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
  16: (text) => text === 't',
  17: (text) => Buffer.from(text.slice(2), 'hex'),
  20: toSafeInteger,
  21: Number,
  23: Number,
  25: (text) => text,
  700: Number,
  701: Number,
  1082: (text) => text,
  1114: (text) => text,
  1184: toApiTime,
  1700: (text) => text,
  2950: (text) => text,
};

function toSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} is not a safe integer`);
  return value;
}

const TIMESTAMPTZ = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?\+00$/;

/** `2026-01-02 03:04:05.6+00` becomes `2026-01-02T03:04:05.600Z`. */
function toApiTime(text: string): string {
  const match = TIMESTAMPTZ.exec(text);
  if (!match) throw new RangeError(`unexpected timestamptz ${text}`);
  const [, day, time, fraction = ''] = match;
  return `${day}T${time}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
}

export type Row = Record<string, unknown>;

type MakeRow = (values: readonly unknown[]) => Row;

const makers = new Map<string, MakeRow>();

/**
 * Compiles one object literal for each list of columns. An object that is filled field by field becomes a hash table
 * from about twelve columns on, which takes ten times as long to make and is slow to read.
 */
export function toRows(columns: readonly string[], rows: readonly (readonly unknown[])[]): Row[] {
  const names = columns.join();
  let make = makers.get(names);
  if (!make) {
    const fields = columns.map((name, at) => `${JSON.stringify(name)}: values[${at}]`);
    // oxlint-disable-next-line typescript/no-implied-eval -- only statements of this source name columns
    make = new Function('values', `return { ${fields.join()} }`) as MakeRow;
    makers.set(names, make);
  }
  return rows.map(make);
}
