import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * An ETag for answers that must be asked for again each time (`no-cache`): what has not changed is answered 304. The
 * answer is made anew for that, so a retraction shows at once.
 */
export function addEtag<Payload>(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: Payload,
  done: (error: null, payload: Payload | string) => void,
): void {
  if (
    reply.statusCode !== 200 ||
    !(typeof payload === 'string' || payload instanceof Uint8Array) ||
    reply.getHeader('cache-control') !== 'no-cache'
  ) {
    return done(null, payload);
  }
  let etag = reply.getHeader('etag') as string | undefined;
  if (etag === undefined) void reply.header('ETag', (etag = etagOf(payload)));
  if (!isKnown(request, etag)) return done(null, payload);
  void reply.code(304).removeHeader('content-length');
  done(null, '');
}

/** One way for all answers: a strong tag of the bytes. */
export function etagOf(text: string | Uint8Array): string {
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`;
}

/** Has who asks this answer already? A proxy that compresses makes a tag weak: it names the same. */
export function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  return known === '*' || known.split(',').some((value) => value.trim().replace(/^W\//, '') === etag);
}
