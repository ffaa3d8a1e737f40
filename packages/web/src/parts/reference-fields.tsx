import type { ComponentChildren } from 'preact';

type Bound = 'minimum' | 'maximum' | 'minLength' | 'maxLength' | 'minItems' | 'maxItems';

export interface Schema extends Partial<Record<Bound, number>> {
  $ref?: string;
  description?: string;
  type?: string;
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  const?: unknown;
  items?: Schema;
  anyOf?: readonly Schema[];
  properties?: Readonly<Record<string, Schema>>;
  patternProperties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
}

export interface Field {
  id: string;
  name: string;
  schema: Schema;
  required?: boolean | undefined;
  description?: string | undefined;
}

export type Schemas = Readonly<Record<string, Schema>>;

interface Whole {
  at: string;
  schema: Schema;
  schemas: Schemas;
  isAsked?: boolean;
}

export function fieldsOf(whole: Whole, within = ''): Field[] {
  const { at, schema, schemas, isAsked = false } = whole;
  const { properties = {}, required = [] } = schema;
  return Object.entries(properties).flatMap(([name, field]) => {
    const dotted = `${within}${name}`;
    const isRequired = required.includes(name);
    const inner = field.properties ? field : field.items?.properties ? field.items : undefined;
    return [
      {
        id: `${at}.${dotted}`,
        name: dotted,
        schema: field,
        required: isAsked || !isRequired ? isRequired : undefined,
        description: field.description ?? (field.$ref && schemas[nameIn(field.$ref)]?.description),
      },
      ...(inner ? fieldsOf({ ...whole, schema: inner }, `${dotted}.`) : []),
    ];
  });
}

export function Fields({ fields }: { fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    <dl class="facts">
      {fields.map(({ id, name, schema, required, description }) => (
        <div id={id}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            <span class="quiet">
              {required !== undefined && <strong>{required ? 'required' : 'optional'}, </strong>}
              {kindOf(schema)}
              {boundsOf(schema, description !== undefined)}
            </span>
            {description && <Marked>{description}</Marked>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Two pages, because one would be too long. */
export const SCHEMA_PAGES = [
  { slug: 'schemas-a-l', title: 'Schemas A to L', has: (name: string) => name < 'M' },
  { slug: 'schemas-m-z', title: 'Schemas M to Z', has: (name: string) => name >= 'M' },
] as const;

export const schemaPath = (name: string): string =>
  `/docs/api/${SCHEMA_PAGES.find(({ has }) => has(name))!.slug}#${name}`;

export const nameIn = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

export function kindOf(schema: Schema): ComponentChildren {
  if (schema.$ref) return <a href={schemaPath(nameIn(schema.$ref))}>{nameIn(schema.$ref)}</a>;
  if (schema.enum) return words(schema.enum);
  if ('const' in schema) return words([schema.const]);
  if (schema.anyOf) return schema.anyOf.map((one, at) => [at > 0 && ' or ', kindOf(one), boundsOf(one)]);
  if (schema.items) return ['array of ', kindOf(schema.items), boundsOf(schema.items)];
  const values = Object.values(schema.patternProperties ?? {})[0];
  if (values) return ['object of ', kindOf(values)];
  return schema.format ? `${schema.type} (${schema.format})` : schema.type;
}

const words = (values: readonly unknown[]): ComponentChildren => [
  values.length > 1 && 'one of ',
  values.map((value, at) => [at > 0 && ', ', <code>{String(value)}</code>]),
];

/** `hasSentence`: a description states the rule of an unusual pattern. */
function boundsOf(schema: Schema, hasSentence = false): string {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, pattern, format } = schema;
  const bounds = [
    range(minimum, maximum, ''),
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    pattern !== undefined && format === undefined && ruleOf(pattern, hasSentence),
  ].filter(Boolean);
  return bounds.length === 0 ? '' : `, ${bounds.join(', ')}`;
}

function ruleOf(pattern: string, hasSentence: boolean): string | false {
  const [, prefix, upper, digits] = /^\^(0x)?\[0-9a-f(A-F)?\]\{(\d+)\}\$$/.exec(pattern) ?? [];
  if (digits) return `${prefix ? '0x and ' : ''}${digits} ${upper ? '' : 'lowercase '}hex digits`;
  if (pattern.includes('\\u')) return false;
  if (pattern.includes('\\x00')) return `${pattern.includes('\\s') ? 'not blank, ' : ''}no NUL character`;
  return !hasSentence && `matches ${pattern}`;
}

function range(from: number | undefined, to: number | undefined, unit: string): string | false {
  if (from === undefined && to === undefined) return false;
  if (to === undefined) return `${from} or more${unit}`;
  return from === undefined
    ? `at most ${to}${unit}`
    : from === to
      ? `${to}${unit}`
      : `${from} to ${to}${unit}`;
}

export function Marked({ children }: { children: string }) {
  return (
    <span class="meaning">
      {children.split('`').map((part, index) => (index % 2 === 0 ? part : <code>{part}</code>))}
    </span>
  );
}
