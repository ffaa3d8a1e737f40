import type { TObject, TSchema } from 'typebox';
import type { Answer, Route } from '../routes/route.ts';
import { headersOf } from './headers.ts';
import { json, type Json, type JsonObject, type SchemaBook } from './schemas.ts';

function parameters(
  book: SchemaBook,
  place: 'path' | 'query' | 'header',
  schema: TObject | undefined,
): Json[] {
  const required = (schema?.required as readonly string[] | undefined) ?? [];
  return Object.entries((schema?.properties ?? {}) as Record<string, TSchema>).map(([name, field]) => {
    const { description, ...rest } = book.write(field) as JsonObject;
    const isRequired = place === 'path' || required.includes(name);
    return json({ name, in: place, required: isRequired, description, schema: rest });
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
  const responses: [string, object][] = Object.entries(route.responses).map(([status, answer]) => {
    const body = { schema: book.write(answer.schema), example: answer.example };
    const content = { 'application/json': body, ...formsOf(answer) };
    return [status, { description: answer.description, headers: headersOf(Number(status), answer), content }];
  });
  if (route.success.headers?.includes('ETag')) {
    const description = 'Unchanged since the answer whose `ETag` is in `If-None-Match`.';
    responses.push(['304', { description }]);
  }
  const requestBody = route.body && {
    required: true,
    content: {
      'application/json': {
        schema: book.writeAs(bodyName(route.operationId), route.body),
        example: route.bodyExample,
      },
    },
  };
  return json({
    operationId: route.operationId,
    summary: route.summary,
    description: description === '' ? undefined : description,
    tags: [route.tag],
    security: route.auth === 'public' ? [{}, { bearer: [] }] : [{ bearer: [] }],
    parameters: all.length === 0 ? undefined : all,
    requestBody,
    responses: Object.fromEntries(responses),
  }) as JsonObject;
}
