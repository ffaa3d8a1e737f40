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

function toBytea(bytes: Uint8Array): string {
  return `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;
}

const TO_ESCAPE = /["\\]/;

function toElement(value: unknown): string {
  if (value instanceof Uint8Array) return `"\\${toBytea(value)}"`;
  const text = toParameter(value);
  if (text === null) return 'null';
  if (Array.isArray(value)) return text;
  return TO_ESCAPE.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`;
}
