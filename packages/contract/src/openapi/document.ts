import { ERROR_CODES, STATUS_OF } from '../errors.ts';
import { ROUTE_LIST } from '../routes/index.ts';
import { TAGS, type Tag } from '../routes/route.ts';
import { HEADERS } from './headers.ts';
import { webhooksOf } from './webhooks.ts';
import { operationOf } from './operation.ts';
import { SchemaBook, type Json, type JsonObject } from './schemas.ts';

/** docs/specification.md#versioning */
export const API_VERSION = '1.0.0';

const TAG_TEXTS: Readonly<Record<Tag, string>> = {
  Etches: 'Texts that their authors commit to.',
  Verification: 'Verify etches, with or without the service.',
  Challenges: 'Questions with sealed answers: one reveal time for all answers, one answer per account.',
  Discovery: 'Search, the feed, and public records.',
  Account: "The caller's account, keys and allowances.",
  Follows: 'Following accounts, topics, challenges and etches.',
  Events: 'What happened to etches and challenges: a list and webhooks.',
  Guide: 'The tester guide, if it is enabled.',
  Agents: 'Accounts identified by a keypair, and who vouches for them.',
  Service: 'The API itself.',
};

const DESCRIPTION = `Sealed, timestamped, chain-anchored text records that nobody has to trust.

Bodies are JSON. Unknown fields of a body are ignored, and \`null\` in an optional field counts as absent. Times are RFC 3339 with an offset or \`Z\`; characters are Unicode code points. A parameter given twice is refused.

Credentials go into \`Authorization: Bearer\`: an API key (\`svc_sk_…\`, scope \`read\` or \`write\`) or a session token of the identity provider. Where none are needed, those that are sent must still be valid.

Every answer that is not a success is \`{ "error": { "code", "message", "details"? } }\`:

| code | status |
| --- | --- |
${ERROR_CODES.map((code) => `| \`${code}\` | ${STATUS_OF[code]}${code === 'bad_request' ? ' (405, 413 and 415 carry it too)' : ''} |`).join('\n')}

\`internal\` is a defect of the service and has no place among the answers of an operation. A path that does not exist answers 404, a method that a path does not have 405.`;

export interface OpenApiOptions {
  /** without a slash at its end */
  baseUrl: string;
  version?: string;
}

export interface OpenApiDocument {
  openapi: string;
  info: JsonObject;
  servers: Json[];
  tags: Json[];
  paths: { [path: string]: { [method: string]: JsonObject } };
  webhooks: { [type: string]: { post: JsonObject } };
  components: { [part: string]: JsonObject };
}

export function openApiDocument({ baseUrl, version = API_VERSION }: OpenApiOptions): OpenApiDocument {
  const book = new SchemaBook();
  const paths: OpenApiDocument['paths'] = {};
  for (const route of ROUTE_LIST) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(book, route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Commitment Service API',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: baseUrl, description: 'This service.' }],
    tags: TAGS.map((name) => ({ name, description: TAG_TEXTS[name] })),
    paths,
    webhooks: webhooksOf(book),
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key (`svc_sk_…`) or a session token of the identity provider.',
        },
      },
      headers: HEADERS,
      schemas: book.all(),
    },
  };
}
