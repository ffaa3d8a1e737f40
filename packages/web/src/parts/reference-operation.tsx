import {
  type Field,
  Fields,
  fieldsOf,
  kindOf,
  Marked,
  nameIn,
  type Schema,
  type Schemas,
} from './reference-fields.tsx';
import { Block, facts } from './values.tsx';

interface Content {
  content?: { 'application/json': { schema: Schema; example?: unknown } };
}
interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description?: string;
  schema: Schema;
}
export interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: readonly string[];
  security?: readonly object[];
  parameters?: readonly Parameter[];
  requestBody?: Content;
  responses: Readonly<Record<string, Content & { description: string }>>;
}
export interface Placed {
  method: string;
  path: string;
  operation: Operation;
}

const PLACES = { path: 'Path', query: 'Query', header: 'Headers' } as const;

interface OperationProps {
  at: Placed;
  schemas: Schemas;
  baseUrl: string;
  /** the `reveal_at` of commands: the service rejects the example's when it has passed */
  later: string;
}

export function OperationView({ at, schemas, baseUrl, later }: OperationProps) {
  const { operationId: id, summary, description, security, parameters = [], responses } = at.operation;
  const [status, success] = Object.entries(responses).find(([code]) => code.startsWith('2'))!;
  const answer = success.content?.['application/json'];
  const body = at.operation.requestBody?.content?.['application/json'].schema;
  return (
    <article class="operation">
      <h2 id={id}>{summary}</h2>
      <p>
        <code>{`${at.method} ${at.path}`}</code> <span class="badge">{credentials(security)}</span>
      </p>
      {description && (
        <p>
          <Marked>{description}</Marked>
        </p>
      )}
      <div class="beside-code">
        <Block tabindex={0} copy="command">
          {command(at, baseUrl, later)}
        </Block>
        {answer?.example !== undefined && (
          <>
            <p class="quiet">Example response ({status})</p>
            <Block tabindex={0}>{JSON.stringify(answer.example, null, 2)}</Block>
          </>
        )}
      </div>
      {(['path', 'query', 'header'] as const).map((place) => {
        const fields = parameters.filter((parameter) => parameter.in === place);
        return (
          fields.length > 0 &&
          part(
            PLACES[place],
            fields.map((one) => fieldOf(id, one)),
          )
        );
      })}
      {bodyParts(id, body, schemas)}
      {answer &&
        (answer.schema.$ref ? (
          <p>
            Response ({status}): {kindOf(answer.schema)}.
          </p>
        ) : (
          part(`Response (${status})`, fieldsOf({ at: `${id}.answer`, schema: answer.schema, schemas }))
        ))}
      <details>
        <summary>All responses: {Object.keys(responses).join(', ')}</summary>
        {facts(
          ...Object.entries(responses).map(
            ([code, { description: meaning }]) => [code, <Marked>{meaning}</Marked>] as const,
          ),
        )}
      </details>
    </article>
  );
}

export function WebhookView({ at }: { at: Placed }) {
  const { operationId: id, summary, description, parameters = [], requestBody, responses } = at.operation;
  const { schema, example } = requestBody!.content!['application/json'];
  return (
    <article>
      <h2 id={id}>
        <code>{at.path}</code>
      </h2>
      <p>
        <Marked>{description ?? summary}</Marked> Body: {kindOf(schema)}.
      </p>
      {part(
        'Headers',
        parameters.map((one) => fieldOf(id, one)),
      )}
      <details>
        <summary>What you answer, with an example of what is sent</summary>
        {facts(...Object.entries(responses).map(([code, { description: of }]) => [code, of] as const))}
        <Block tabindex={0}>{JSON.stringify(example, null, 2)}</Block>
      </details>
    </article>
  );
}

const fieldOf = (id: string, { name, schema, required, description }: Parameter): Field => ({
  id: `${id}.${name}`,
  name,
  schema,
  required: required === true,
  description,
});

const part = (title: string, fields: readonly Field[]) => (
  <>
    <h3>{title}</h3>
    <Fields fields={fields} />
  </>
);

function bodyParts(id: string, schema: Schema | undefined, schemas: Schemas) {
  const whole = schema?.$ref === undefined ? schema : schemas[nameIn(schema.$ref)];
  if (whole === undefined) return null;
  if (!whole.anyOf)
    return part('Body', fieldsOf({ at: `${id}.body`, schema: whole, schemas, isAsked: true }));
  const kinds = whole.anyOf.map((one) => nameIn(one.$ref!));
  return (
    <>
      <h3>Body: one of {kinds.length} kinds</h3>
      {kinds.map((name, at) => {
        const title = <h4 id={name}>{name}</h4>;
        const about = (
          <>
            <p>
              <Marked>{schemas[name]!.description!}</Marked>
            </p>
            <Fields fields={fieldsOf({ at: name, schema: schemas[name]!, schemas, isAsked: true })} />
          </>
        );
        return at === 0 ? (
          <>
            {title}
            {about}
          </>
        ) : (
          <details>
            <summary>{title}</summary>
            {about}
          </details>
        );
      })}
    </>
  );
}

function credentials(security: readonly object[] = []): string {
  return security.some((one) => Object.keys(one).length === 0)
    ? 'no credentials needed'
    : 'an API key or a session token';
}

function command({ method, path, operation }: Placed, baseUrl: string, later: string): string {
  const { parameters = [], requestBody, security } = operation;
  const example = requestBody?.content?.['application/json'].example;
  const query = parameters.filter((one) => one.in === 'query' && one.required);
  const search = query.map(({ name }) => `${name}=$${name.toUpperCase()}`).join('&');
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "${baseUrl}${place}${search === '' ? '' : `?${search}`}"`,
    ...(credentials(security).startsWith('no') ? [] : ['-H "Authorization: Bearer $API_KEY"']),
    ...(parameters.some(({ name }) => name === 'Idempotency-Key')
      ? ['-H "Idempotency-Key: $(uuidgen)"']
      : []),
    ...(example === undefined
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(example, (key, value: unknown) => (key === 'reveal_at' ? later : value), 2).replaceAll("'", "'\\''")}'`,
        ]),
  ].join(' \\\n  ');
}
