import { Type, type Static } from 'typebox';
import { oneOf, shape } from './fields.ts';

/** docs/specification.md#envelope */
export const ERROR_CODES = [
  'bad_request',
  'unauthorized',
  'forbidden',
  'not_found',
  'conflict',
  'unprocessable',
  'rate_limited',
  'internal',
  'service_unavailable',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export const STATUS_OF: Readonly<Record<ErrorCode, number>> = Object.freeze({
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  unprocessable: 422,
  rate_limited: 429,
  internal: 500,
  service_unavailable: 503,
});

/** These statuses have the code `bad_request`, whose own status is 400. */
export const BAD_REQUEST_STATUSES = [400, 405, 413, 415] as const;

export function codeOf(status: number): ErrorCode | undefined {
  if ((BAD_REQUEST_STATUSES as readonly number[]).includes(status)) return 'bad_request';
  return ERROR_CODES.find((code) => STATUS_OF[code] === status);
}

export const ErrorDetail = shape(
  'ErrorDetail',
  {
    path: Type.String({
      description: 'The field, dotted (`answers.0.answer`); empty for the request as a whole.',
    }),
    message: Type.String({ description: 'What is wrong with it.' }),
  },
  'One problem of a request.',
);
export type ErrorDetail = Static<typeof ErrorDetail>;

export const ErrorBody = shape(
  'Error',
  {
    code: oneOf(ERROR_CODES, 'One of nine codes, for programs.'),
    message: Type.String({ description: 'One sentence for people; the wording may change.' }),
    details: Type.Optional(Type.Array(ErrorDetail, { description: 'Issues by field, if any.', minItems: 1 })),
  },
  'Why a request failed.',
);
export type ErrorBody = Static<typeof ErrorBody>;

export const ErrorEnvelope = shape(
  'ErrorEnvelope',
  { error: ErrorBody },
  'The body of every error response.',
);
export type ErrorEnvelope = Static<typeof ErrorEnvelope>;
