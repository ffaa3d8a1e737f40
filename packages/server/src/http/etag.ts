import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * An ETag for answers that must be asked for again each time (`no-cache`): what has not changed is answered 304. The
 * answer is made anew for that, so a retraction shows at once.
 */
export async function addEtag(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (
    reply.statusCode !== 200 ||
    typeof payload !== 'string' ||
    reply.getHeader('cache-control') !== 'no-cache'
  ) {
    return payload;
  }
  const etag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`;
  void reply.header('ETag', etag);
  const known = request.headers['if-none-match'];
  if (known === undefined || !matches(known, etag)) return payload;
  void reply.code(304).removeHeader('content-length');
  return '';
}

function matches(header: string, etag: string): boolean {
  return header === '*' || header.split(',').some((value) => value.trim().replace(/^W\//, '') === etag);
}
