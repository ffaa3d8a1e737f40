/** A JSON Schema, of the contract or made of its parts. */
export type Schema = object;
export type Fields = Readonly<Record<string, Schema>>;

/** An object with these fields; those behind a `?` may be absent. */
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

/** The fields of an object of the contract; of a union of objects, what any of them says of a field. */
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

/**
 * The schema as plain JSON that admits fields it does not name: a service that is newer than these tools may tell more, and a
 * client that checks answers would refuse them.
 */
export const admitting = (schema: Schema): Schema =>
  JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (key === 'additionalProperties' ? undefined : value)),
  ) as Schema;
