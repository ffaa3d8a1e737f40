import type { Answer } from '../routes/route.ts';
import type { JsonObject } from './schemas.ts';

const seconds = { type: 'integer', minimum: 0 };

export const HEADERS: { [name: string]: JsonObject } = {
  'X-RateLimit-Limit': {
    description: 'On every answer to an API key, and on every 429: requests or items allowed in the window.',
    schema: { type: 'integer', minimum: 0 },
    example: 60,
  },
  'X-RateLimit-Remaining': {
    description: 'On every answer to an API key, and on every 429: requests or items left.',
    schema: { type: 'integer', minimum: 0 },
    example: 59,
  },
  'X-RateLimit-Reset': {
    description: 'On every answer to an API key, and on every 429: seconds until the window is full again.',
    schema: seconds,
    example: 60,
  },
  'X-Request-Id': {
    description: 'Identifies the request in the logs of the service.',
    schema: { type: 'string' },
    example: 'req-1',
  },
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: seconds,
    example: 1,
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  'Idempotent-Replay': {
    description: '`true` when the answer repeats an earlier one and nothing was written or spent.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  ETag: {
    description:
      'Identifies this answer. If you send it in `If-None-Match` and nothing has changed, the answer is 304.',
    schema: { type: 'string' },
    example: '"dGhlIHRpZGUgd2lsbCB0dXJu"',
  },
  'Cache-Control': {
    description: 'A cache must revalidate its copy before use, so that a retraction takes effect at once.',
    schema: { type: 'string' },
    example: 'no-cache',
  },
};

export function headersOf(status: number, answer: Answer): JsonObject {
  const names = [
    ...(answer.headers ?? []),
    ...(status === 401 ? ['WWW-Authenticate'] : []),
    ...(status === 429 || status === 503 ? ['Retry-After'] : []),
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'X-Request-Id',
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
