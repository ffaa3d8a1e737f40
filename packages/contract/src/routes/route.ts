import type { TObject, TSchema } from 'typebox';
import { codeOf, ErrorEnvelope } from '../errors.ts';

export const METHODS = ['GET', 'POST', 'PATCH', 'DELETE'] as const;
export type Method = (typeof METHODS)[number];

export const TAGS = [
  'Etches',
  'Verification',
  'Challenges',
  'Discovery',
  'Account',
  'Follows',
  'Events',
  'Guide',
  'Agents',
  'Service',
] as const;
export type Tag = (typeof TAGS)[number];

/** Only on some answers. */
export type AnswerHeader = 'Idempotent-Replay' | 'Cache-Control' | 'ETag';

export interface Answer {
  readonly description: string;
  readonly schema: TSchema;
  readonly example?: unknown;
  readonly headers?: readonly AnswerHeader[];
  /** further media types for `Accept` */
  readonly forms?: Readonly<Record<string, string>>;
}

export interface Success extends Answer {
  readonly status: 200 | 201;
  readonly example: unknown;
}

type Refusal = 400 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503;

export interface RouteDefinition {
  readonly operationId: string;
  readonly method: Method;
  readonly path: `/api/v1/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly tag: Tag;
  /**
   * `public`: invalid credentials are rejected. `caller`: an API key or a session token. `write`: no read
   * keys.
   */
  readonly auth: 'public' | 'caller' | 'write';
  /** A public operation that rejects read keys. */
  readonly refusesReadKey?: true;
  /** Signed-out calls count toward the address's limit. */
  readonly anonymousLimit?: true;
  /** Allows a suspended account to call the route. Reads are always allowed. */
  readonly whileSuspended?: true;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: TObject;
  readonly bodyExample?: unknown;
  readonly success: Success;
  /** A second request changes nothing, so a client may retry after a lost answer. Reads always are. */
  readonly repeatable?: true;
  /** The field by which a client knows the answer of a service; default: the first one. */
  readonly mark?: string;
  /** In addition to the answers of every such operation. */
  readonly refusals?: Readonly<Partial<Record<Refusal, string>>>;
  /** Not in the specification (docs/specification.md#beyond-the-specification). */
  readonly extra?: true;
}

export interface Route extends RouteDefinition {
  readonly responses: Readonly<Record<number, Answer>>;
}

function refusal(status: number, text: string): Answer {
  const code = codeOf(status);
  if (code === undefined) throw new Error(`no code for status ${status}`);
  const message = `${text.replace(/\.$/, '')}.`;
  return { description: text, schema: ErrorEnvelope, example: { error: { code, message } } };
}

function forbidden({ method, auth, refusesReadKey, whileSuspended }: RouteDefinition): string | undefined {
  const isScoped = auth === 'write' || refusesReadKey === true;
  const changes = method !== 'GET' && (auth !== 'public' || refusesReadKey === true);
  if (!changes || whileSuspended) return isScoped ? 'The key has scope read.' : undefined;
  return isScoped ? 'The key has scope read, or the account is suspended.' : 'The account is suspended.';
}

/** Answers of every operation of this kind. */
function standing(definition: RouteDefinition): Record<number, string | undefined> {
  const { method, auth, params, query, headers, anonymousLimit } = definition;
  const takesBody = method !== 'GET';
  const isChecked = query !== undefined || headers !== undefined || takesBody;
  return {
    // A malformed id is 404, but a URL that cannot be decoded is 400.
    400: isChecked ? 'The request is not valid.' : params && 'The encoding of the URL is not valid.',
    401:
      auth === 'public'
        ? 'The credentials are not valid.'
        : 'Credentials are missing, malformed, expired, revoked or unknown.',
    403: forbidden(definition),
    // An unexpected body is still parsed as JSON.
    413: takesBody ? 'The body is larger than the service accepts.' : undefined,
    415: takesBody ? 'The body is not application/json.' : undefined,
    429:
      anonymousLimit === true
        ? "The address's signed-out requests or the key's requests for this minute are used up."
        : "The key's requests for this minute are used up.",
    503: 'The database or another dependency cannot be reached; try again.',
  };
}

function responsesOf(definition: RouteDefinition): Route['responses'] {
  const { success, refusals } = definition;
  const responses: Record<number, Answer> = { [success.status]: success };
  for (const [status, text] of Object.entries({ ...standing(definition), ...refusals })) {
    if (text !== undefined) responses[Number(status)] = refusal(Number(status), text);
  }
  return responses;
}

type Details = Omit<RouteDefinition, 'operationId' | 'tag' | 'method' | 'path' | 'auth' | 'summary'>;

const by =
  <M extends Method>(method: M) =>
  <const A extends RouteDefinition['auth'], const D extends Details>(
    path: `/${string}`,
    auth: A,
    summary: string,
    details: D,
  ) => ({ method, path: `/api/v1${path}` as const, auth, summary, ...details });

export const GET = by('GET');
export const POST = by('POST');
export const PATCH = by('PATCH');
export const DELETE = by('DELETE');

const answerWith =
  <const S extends Success['status']>(status: S) =>
  <T extends TSchema, const E>(
    description: string,
    schema: T,
    example: E,
    ...headers: readonly AnswerHeader[]
  ) => ({ status, description, schema, example, headers });

export const ok = answerWith(200);
export const created = answerWith(201);

/** A client may store the answer and must revalidate it by its `ETag`. */
export const REVALIDATED = ['Cache-Control', 'ETag'] as const;

type Untagged = Omit<RouteDefinition, 'operationId' | 'tag'>;

export function routes<const R extends Readonly<Record<string, Untagged>>>(tag: Tag, definitions: R) {
  const complete = Object.entries(definitions).map(([operationId, untagged]) => {
    const definition = { operationId, tag, ...untagged };
    return [operationId, { ...definition, responses: responsesOf(definition) }];
  });
  return Object.fromEntries(complete) as {
    readonly [Id in keyof R]: R[Id] & Pick<Route, 'operationId' | 'tag' | 'responses'>;
  };
}
