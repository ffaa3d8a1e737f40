export type Schema = object;
export type Fields = Readonly<Record<string, Schema>>;

/** A name that ends in `?` is optional. */
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

/** A union of objects gives the fields of all of them. */
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

/** Separates the service's facts from the fields that accounts chose. */
export const split = (fields: Fields, ...chosen: string[]): Schema =>
  object({ facts: object(omit(fields, ...chosen)), untrusted: object(pick(fields, ...chosen)) });

export function omit(fields: Fields, ...names: string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)));
}

function typesOf(schema: Schema): Set<string> {
  const { type, anyOf = [] } = schema as { type?: string; anyOf?: Schema[] };
  return new Set(type === undefined ? anyOf.flatMap((member) => [...typesOf(member)]) : [type]);
}

/**
 * Only the top fields: a client loads the list of tools into the model's context. A newer service may return
 * further fields.
 */
export function outline(schema: Schema): Schema {
  const { properties, required } = schema as { properties: Fields; required: readonly string[] };
  const fields = Object.entries(properties).map(([name, field]): [string, Schema] => {
    // Not a list of types, of which strict clients warn.
    const types = [...typesOf(field)].map((type) => ({ type }));
    return [name, types.length === 1 ? types[0]! : { anyOf: types }];
  });
  return { type: 'object', properties: Object.fromEntries(fields), required };
}
