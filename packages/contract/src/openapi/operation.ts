import type { TObject, TSchema } from 'typebox';
import type { Answer, Route } from '../routes/route.ts';
import { headersOf } from './headers.ts';
import type { Json, JsonObject, SchemaBook } from './schemas.ts';

const json = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;

function parameters(
  book: SchemaBook,
  place: 'path' | 'query' | 'header',
  schema: TObject | undefined,
): Json[] {
  const required = (schema?.required as readonly string[] | undefined) ?? [];
  return Object.entries((schema?.properties ?? {}) as Record<string, TSchema>).map(([name, field]) => {
    const { description, ...rest } = book.write(field) as JsonObject;
    return {
      name,
      in: place,
      required: place === 'path' || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    };
  });
}

const formsOf = ({ forms = {} }: Answer): JsonObject =>
  Object.fromEntries(
    Object.entries(forms).map(([type, description]) => [
      type,
      { schema: { type: 'string', format: 'binary', description } },
    ]),
  );

/** `createEtch` takes a `CreateEtchBody`. */
const bodyName = (id: string): string => `${id.charAt(0).toUpperCase()}${id.slice(1)}Body`;

function describe(route: Route): string {
  const notes = [
    route.description,
    route.auth === 'write' ? 'Needs a key with scope `write`, or a session token.' : undefined,
    route.refusesReadKey === true ? 'A key with scope `read` is rejected.' : undefined,
    route.anonymousLimit === true ? 'Signed-out calls count toward the limit of the address.' : undefined,
    route.extra === true ? 'An extension of the specification.' : undefined,
  ];
  return notes.filter((note) => note !== undefined).join(' ');
}

export function operationOf(book: SchemaBook, route: Route): JsonObject {
  const description = describe(route);
  const all = [
    ...parameters(book, 'path', route.params),
    ...parameters(book, 'query', route.query),
    ...parameters(book, 'header', route.headers),
  ];
  const responses = Object.entries(route.responses).map(([status, answer]) => [
    status,
    {
      description: answer.description,
      headers: headersOf(Number(status), answer),
      content: {
        'application/json': { schema: book.write(answer.schema), example: json(answer.example) },
        ...formsOf(answer),
      },
    },
  ]) as [string, Json][];
  if (route.success.headers?.includes('ETag')) {
    responses.push([
      '304',
      { description: 'Unchanged since the answer whose `ETag` is in `If-None-Match`.' },
    ]);
  }
  return {
    operationId: route.operationId,
    summary: route.summary,
    ...(description === '' ? {} : { description }),
    tags: [route.tag],
    security: route.auth === 'public' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    ...(all.length === 0 ? {} : { parameters: all }),
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: book.writeAs(bodyName(route.operationId), route.body),
                example: json(route.bodyExample),
              },
            },
          },
        }),
    responses: Object.fromEntries(responses),
  };
}
