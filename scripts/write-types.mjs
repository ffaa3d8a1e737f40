// Writes packages/contract/src/types.ts and tables.ts from the route schemas: what a client needs of the contract without
// its validator. Runs before the compiler, so it reads sources only.
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { readArguments } from '../packages/server/bin/arguments.mjs';
import { put } from './built-files.mjs';

readArguments(`usage: node scripts/write-types.mjs

Writes packages/contract/src/types.ts and tables.ts from the schemas. Takes no arguments.`);

const packages = (path) => fileURLToPath(new URL(`../packages/${path}`, import.meta.url));
const PLAIN = { integer: 'number', number: 'number', string: 'string', boolean: 'boolean', null: 'null' };
const described = new Map();

const contract = await compiled();
const document = JSON.parse(JSON.stringify(contract.openApiDocument({ baseUrl: 'http://127.0.0.1:3000' })));
await put(packages('contract/src/types.ts'), `${wireTypes(document)}\n`);
await put(packages('contract/src/tables.ts'), `${tables(contract)}\n`);

async function compiled() {
  const { outputFiles } = await build({
    entryPoints: [packages('contract/src/index.ts')],
    alias: { '@svc/protocol': packages('protocol/src') },
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return import(`data:text/javascript;base64,${code}`);
}

function wireTypes(document) {
  const schemas = Object.entries(document.components.schemas);
  for (const [name, { description }] of schemas) described.set(`#/components/schemas/${name}`, description);
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  return [
    '// Written by scripts/write-types.mjs out of the schemas: change those, and run it.',
    ...schemas.map(named),
    comment('Every operation of the API by its id: where it is, what it takes, and what it answers.'),
    `export interface Operations ${blockOf(operations, operationOf)}`,
    `export type OperationId = keyof Operations;
    export type BodyOf<Id extends OperationId> = Operations[Id]['body'];
    export type QueryOf<Id extends OperationId> = Operations[Id]['query'];
    export type ParamsOf<Id extends OperationId> = Operations[Id]['params'];
    export type SuccessOf<Id extends OperationId> = Operations[Id]['answer'];`,
    comment('The words of closed sets.'),
    `export type TopicId = Category['id'];
    export type EtchStatus = Etch['status'];
    export type EventType = Event['type'];
    export type ErrorCode = ErrorEnvelope['error']['code'];
    export type FollowTarget = Follow['target_type'];
    export type Scope = Key['scope'];`,
    comment('What webhooks send, by the type of the event.'),
    `export interface WebhookEvents ${blockOf(Object.entries(document.webhooks ?? {}), webhookOf)}`,
  ]
    .join('\n\n')
    .replaceAll(/\n{2,}(?=\s+\/\*\*)/g, '\n');
}

function tables({ ROUTES, EVENTS, ...contract }) {
  const operations = Object.entries(ROUTES).map(([id, route]) => [id, operationRow(route)]);
  const labels = Object.entries(EVENTS).map(([type, { label }]) => [type, label]);
  const words = [
    'TOPIC_IDS',
    'ETCH_STATUSES',
    'CHALLENGE_STATUSES',
    'EVENT_TYPES',
    'SEARCH_SORTS',
    'ACCOUNT_SORTS',
    'CHALLENGE_SEARCH_SORTS',
    'REPEATED_INPUTS',
    'STAYS_PUBLIC',
  ];
  return [
    '// Written by scripts/write-types.mjs out of the schemas: change those, and run it.',
    constant('OPERATIONS', Object.fromEntries(operations)),
    ...words.map((name) => constant(name, contract[name])),
    constant('EVENT_LABELS', Object.fromEntries(labels)),
  ].join('\n\n');
}

/** `repeat`: when a client may send a request again that may have been carried out. */
function operationRow({ method, path, headers, repeatable, mark, success }) {
  const repeat = repeatable || method === 'GET' ? 'always' : headers ? 'with-key' : 'never';
  return { method, path, repeat, mark: mark ?? success.schema.required[0] };
}

function constant(name, value) {
  return `export const ${name} = ${JSON.stringify(value, null, 2)} as const;`;
}

function named([name, schema]) {
  const isInterface = schema.type === 'object' && schema.properties;
  const start = isInterface ? `export interface ${name} ` : `export type ${name} = `;
  return `${comment(schema.description)}\n${start}${typeOf(schema)}${isInterface ? '' : ';'}`;
}

function operationOf({ path, method, operation }) {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const within = (place) => parameters.filter((parameter) => parameter.in === place);
  const [, success] = Object.entries(responses).find(([status]) => /^2/.test(status));
  // A parameter is text, even if it contains a number.
  const params = within('path').map((parameter) => ({ ...parameter, schema: { type: 'string' } }));
  return [
    comment([summary, description].filter(Boolean).join('. ')),
    `${operationId}: {`,
    `method: '${method}';`,
    `path: '${path}';`,
    `params: ${parametersOf(params)};`,
    `query: ${parametersOf(within('query'))};`,
    `body: ${requestBody ? jsonOf(requestBody) : 'undefined'};`,
    `answer: ${jsonOf(success)};`,
    '};',
  ].join('\n');
}

function webhookOf([name, { post }]) {
  return `${comment(post.summary)}\n'${name}': ${jsonOf(post.requestBody)};`;
}

function jsonOf({ content }) {
  return typeOf(content['application/json'].schema);
}

function parametersOf(parameters) {
  if (parameters.length === 0) return 'undefined';
  return blockOf(parameters, ({ name, required, description, schema }) =>
    field(name, schema, required, description),
  );
}

function field(name, schema, isRequired, description = schema.description ?? described.get(schema.$ref)) {
  return `${comment(description)}\n${/^\w+$/.test(name) ? name : `'${name}'`}${isRequired ? '' : '?'}: ${typeOf(schema)};`;
}

function typeOf(schema) {
  if (schema.$ref) return schema.$ref.split('/').at(-1);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map((one) => wrapped(typeOf(one))).join(' | ');
  if (schema.type === 'array') return `${wrapped(typeOf(schema.items))}[]`;
  if (schema.properties) {
    const { properties, required = [] } = schema;
    return blockOf(Object.entries(properties), ([name, one]) => field(name, one, required.includes(name)));
  }
  const [values] = Object.values(schema.patternProperties ?? {});
  if (values) return `{ [key: string]: ${typeOf(values)} }`;
  const type = PLAIN[schema.type];
  if (type === undefined) throw new Error(`no type for ${JSON.stringify(schema)}`);
  return type;
}

function blockOf(items, write) {
  return `{\n${items.map(write).join('\n')}\n}`;
}

function wrapped(type) {
  return /[|\n]/.test(type) && !/^\{[^]*\}$/.test(type) ? `(${type})` : type;
}

function comment(text) {
  return text ? `/** ${text.replaceAll('*/', '* /').replaceAll(/\s*\n\s*/g, ' ')} */` : '';
}
