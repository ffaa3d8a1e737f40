import { Type, type Static } from 'typebox';
import { oneOf, shape, text } from './fields.ts';

/** docs/specification.md#envelope */
export const STATUS_OF = Object.freeze({
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

export type ErrorCode = keyof typeof STATUS_OF;
export const ERROR_CODES = Object.keys(STATUS_OF) as readonly ErrorCode[];

/** These statuses have the code `bad_request`, whose own status is 400. */
export const BAD_REQUEST_STATUSES = [400, 405, 413, 415] as const;

export function codeOf(status: number): ErrorCode | undefined {
  if ((BAD_REQUEST_STATUSES as readonly number[]).includes(status)) return 'bad_request';
  return ERROR_CODES.find((code) => STATUS_OF[code] === status);
}

export const ErrorDetail = shape('ErrorDetail', 'One problem of a request.', {
  path: text('The field, dotted (`answers.0.answer`); empty for the request as a whole.'),
  message: text('What is wrong with it.'),
});
export type ErrorDetail = Static<typeof ErrorDetail>;

export const ErrorBody = shape('Error', 'Why a request failed.', {
  code: oneOf(ERROR_CODES, 'One of nine codes, for programs.'),
  message: text('One sentence for people; the wording may change.'),
  details: Type.Optional(Type.Array(ErrorDetail, { description: 'Issues by field, if any.', minItems: 1 })),
});

export const ErrorEnvelope = shape('ErrorEnvelope', 'The body of every error response.', {
  error: ErrorBody,
});
