import type { TObject, TSchema } from 'typebox';
import { ErrorEnvelope, STATUS_OF, type ErrorCode } from '../errors.ts';

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

/** Headers that only some answers carry; those every answer may carry are not listed by route. */
export type AnswerHeader = 'Idempotent-Replay' | 'Cache-Control' | 'ETag';

/** One answer of an operation, as the document shows it. */
export interface Answer {
  readonly description: string;
  readonly schema: TSchema;
  readonly example?: unknown;
  readonly headers?: readonly AnswerHeader[];
  /** the same in other media types, for who names one in `Accept`: each as bytes, with what they are */
  readonly forms?: Readonly<Record<string, string>>;
}

/** The success of an operation. */
export interface Success extends Answer {
  readonly status: 200 | 201;
  readonly example: unknown;
}

/** Statuses of `bad_request` that have a number of their own. */
type Refusal = 400 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503;

export interface RouteDefinition {
  readonly operationId: string;
  readonly method: Method;
  readonly path: `/api/v1/${string}`;
  readonly summary: string;
  readonly description?: string;
  readonly tag: Tag;
  /**
   * `public`: no credentials needed (those sent must be valid). `caller`: an API key of either scope or a
   * session token. `write`: the same, but a read key is refused.
   */
  readonly auth: 'public' | 'caller' | 'write';
  /** A public operation that writes: signed out is fine, a read key is not. */
  readonly refusesReadKey?: true;
  /** Signed-out calls share the address's anonymous allowance. */
  readonly anonymousLimit?: true;
  /** Stays open to an account that the operator suspended; reading always does. */
  readonly whileSuspended?: true;
  readonly params?: TObject;
  readonly query?: TObject;
  readonly headers?: TObject;
  readonly body?: TObject;
  /** An example of the body that the body's schema takes. */
  readonly bodyExample?: unknown;
  readonly success: Success;
  /** What else is answered, beyond what every operation of its kind may answer. */
  readonly refusals?: Readonly<Partial<Record<Refusal, string>>>;
  /** Beyond the specification (docs/specification.md#beyond-the-specification). */
  readonly extra?: true;
}

export type Route<D extends RouteDefinition = RouteDefinition> = D & {
  /** Every status of the operation, its success included. */
  readonly responses: Readonly<Record<number, Answer>>;
};

const refusal = (code: ErrorCode, description: string): Answer => ({
  description,
  schema: ErrorEnvelope,
  example: { error: { code, message: `${description.replace(/\.$/, '')}.` } },
});

function codeFor(status: number): ErrorCode {
  if (status === 413 || status === 415) return 'bad_request';
  for (const [code, number] of Object.entries(STATUS_OF)) if (number === status) return code as ErrorCode;
  throw new Error(`no code for status ${status}`);
}

/** Whom an operation refuses that others may use. */
function forbidden({ method, auth, refusesReadKey, whileSuspended }: RouteDefinition): { 403?: string } {
  const isScoped = auth === 'write' || refusesReadKey === true;
  const changes = method !== 'GET' && (auth !== 'public' || refusesReadKey === true);
  if (changes && !whileSuspended)
    return {
      403: isScoped ? 'The key has scope read, or the account is suspended.' : 'The account is suspended.',
    };
  return isScoped ? { 403: 'The key has scope read.' } : {};
}

/** What every operation of this kind may answer, before its own words for it. */
function standing(definition: RouteDefinition): Partial<Record<number, string>> {
  const { method, auth, params, query, headers, anonymousLimit } = definition;
  const takesBody = method !== 'GET';
  return {
    // An id that is no UUID is simply unknown, but a URL that cannot be decoded names nothing at all.
    ...(params !== undefined ? { 400: 'The URL is not validly encoded.' } : {}),
    ...(query !== undefined || headers !== undefined || takesBody
      ? { 400: 'The request is not valid.' }
      : {}),
    401:
      auth === 'public'
        ? 'Credentials were sent and are not valid.'
        : 'Credentials are missing, malformed, expired, revoked or unknown.',
    ...forbidden(definition),
    // A body nobody asked for is still read as JSON, and refused like any other when it is not.
    ...(takesBody
      ? { 413: 'The body is larger than the service takes.', 415: 'The body is not application/json.' }
      : {}),
    429:
      anonymousLimit === true
        ? "The address's allowance for signed-out calls, or the key's for a minute, is exhausted."
        : "The key's requests for this minute are exhausted.",
    503: 'The database, or something else the answer needs, cannot be reached; try again.',
  };
}

/** Completes a definition with every answer it may give. */
export function route<const D extends RouteDefinition>(definition: D): Route<D> {
  const texts: Partial<Record<number, string>> = { ...standing(definition), ...definition.refusals };
  const responses: Record<number, Answer> = { [definition.success.status]: definition.success };
  for (const [status, text] of Object.entries(texts)) {
    if (text !== undefined) responses[Number(status)] = refusal(codeFor(Number(status)), text);
  }
  return { ...definition, responses };
}
