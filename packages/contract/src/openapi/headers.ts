import type { Answer } from '../routes/route.ts';
import type { JsonObject } from './schemas.ts';

const header = (schema: JsonObject, example: string | number, description: string) => ({
  description,
  schema,
  example,
});
const count = { type: 'integer', minimum: 0 };
const text = { type: 'string' };

export const HEADERS: { [name: string]: JsonObject } = {
  'X-RateLimit-Limit': header(
    count,
    60,
    'On every answer to an API key, and on every 429: requests or items allowed in the window.',
  ),
  'X-RateLimit-Remaining': header(
    count,
    59,
    'On every answer to an API key, and on every 429: requests or items left.',
  ),
  'X-RateLimit-Reset': header(
    count,
    60,
    'On every answer to an API key, and on every 429: seconds until the window is full again.',
  ),
  'X-Request-Id': header(text, 'req-1', 'Identifies the request in the logs of the service.'),
  'Retry-After': header(count, 1, 'Seconds to wait before trying again.'),
  'WWW-Authenticate': header(text, 'Bearer', 'How to authenticate.'),
  'Idempotent-Replay': header(
    { type: 'string', enum: ['true'] },
    'true',
    '`true` when the answer repeats an earlier one and nothing was written or spent.',
  ),
  ETag: header(
    text,
    '"dGhlIHRpZGUgd2lsbCB0dXJu"',
    'Identifies this answer. If you send it in `If-None-Match` and nothing has changed, the answer is 304.',
  ),
  'Cache-Control': header(
    text,
    'no-cache',
    'A cache must revalidate its copy before use, so that a retraction takes effect at once.',
  ),
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
