export type Schema = object;
export type Fields = Readonly<Record<string, Schema>>;

/** An object with these fields. A name that ends in `?` is optional. */
export function object(fields: Fields): Schema {
  const entries = Object.entries(fields);
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, schema]) => [name.replace(/\?$/, ''), schema])),
    required: entries.map(([name]) => name).filter((name) => !name.endsWith('?')),
  };
}

export const listOf = (items: Schema): Schema => ({ type: 'array', items });
export const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
export const text = (description: string): Schema => ({ type: 'string', description });
export const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values });
export const truth: Schema = { type: 'boolean' };

/** The fields of an object schema; for a union of objects, the fields of all of them. */
export function fieldsOf(schema: object): Fields {
  const { properties, anyOf = [] } = schema as { properties?: Fields; anyOf?: object[] };
  if (properties !== undefined) return properties;
  const members = anyOf.map(fieldsOf);
  const names = [...new Set(members.flatMap((member) => Object.keys(member)))];
  return Object.fromEntries(
    names.map((name) => {
      const said = members.map((member) => member[name]).filter((found) => found !== undefined);
      const distinct = [...new Map(said.map((one) => [JSON.stringify(one), one])).values()];
      return [name, distinct.length === 1 ? distinct[0]! : { anyOf: distinct }];
    }),
  );
}

export function pick(fields: Fields, ...names: string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name]!]));
}

export function omit(fields: Fields, ...names: string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

/** Keywords that the service enforces; a client does not need them. */
const LEFT_OUT = new Set([
  ...['additionalProperties', 'title', 'pattern'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems'],
]);

/**
 * Makes a JSON schema that allows additional fields: a newer service may return more, and a client that checks answers must not reject
 * them. It omits keywords that clients do not need, and defines repeated parts once.
 */
export const admitting = (schema: Schema): Schema =>
  sharing(trimmed(JSON.parse(JSON.stringify(schema)), false) as Schema);

/** @param byName true when the keys are field names, not JSON Schema keywords */
function trimmed(part: unknown, byName: boolean): unknown {
  if (Array.isArray(part)) return part.map((one) => trimmed(one, false));
  if (typeof part !== 'object' || part === null) return part;
  const kept = Object.entries(part).filter(([key]) => byName || !LEFT_OUT.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, trimmed(value, !byName && key === 'properties')]),
  );
}

/** A repeated part with at least this many characters is defined once. */
const WORTH = 200;

function sharing(schema: Schema): Schema {
  const seen = new Map<string, number>();
  const count = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return;
    const text = JSON.stringify(part);
    const isSchema = 'type' in part || 'anyOf' in part;
    if (isSchema && text.length >= WORTH) seen.set(text, (seen.get(text) ?? 0) + 1);
    // The parts of a repeated part repeat too, and need no definition.
    if ((seen.get(text) ?? 0) < 2) Object.values(part).forEach(count);
  };
  count(schema);
  const names = new Map<string, string>();
  for (const [text, times] of seen) if (times > 1) names.set(text, `s${names.size + 1}`);
  const named = (part: unknown, top: boolean): unknown => {
    if (typeof part !== 'object' || part === null) return part;
    const name = top ? undefined : names.get(JSON.stringify(part));
    if (name !== undefined) return { $ref: `#/$defs/${name}` };
    if (Array.isArray(part)) return part.map((one) => named(one, false));
    return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, named(value, false)]));
  };
  const shared = named(schema, true) as Schema;
  const definitions = [...names].map(([text, name]) => [name, named(JSON.parse(text), true)] as const);
  return definitions.length === 0 ? shared : { ...shared, $defs: Object.fromEntries(definitions) };
}
