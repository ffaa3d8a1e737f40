import { createHash, hash, type Hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mapInTimeSlices } from '../flow/time-slices.ts';

/**
 * Adds an ETag to answers that must be revalidated (`no-cache`) and answers 304 if nothing changed. The answer is built each time, so a
 * retraction shows at once.
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
  const tag = (etag: string): void => {
    void reply.header('ETag', etag);
    if (!isKnown(request, etag)) return done(null, payload);
    void reply.code(304).removeHeader('content-length');
    done(null, '');
  };
  const etag = reply.getHeader('etag') as string | undefined;
  if (etag !== undefined) return tag(etag);
  if (payload.length < LARGE) return tag(etagOf(payload));
  void etagInPieces(payload).then(tag);
}

/** A shorter text is hashed at once, within a millisecond. */
const LARGE = 512 * 1024;

/** A strong tag of the bytes. */
export function etagOf(text: string | Uint8Array): string {
  return tagNamed(hash('sha256', text, 'base64url').slice(0, LENGTH));
}

/** A weak tag of a part of an answer: the same meaning, perhaps in other bytes. */
export const weakTagOf = (text: string): string => `W/${etagOf(text)}`;

/** The same for a large answer; yields to other requests in between. */
export async function etagInPieces(text: string | Uint8Array): Promise<string> {
  const whole = createHash('sha256');
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const starts = Array.from({ length: Math.ceil(bytes.length / LARGE) }, (_, index) => index * LARGE);
  await mapInTimeSlices(
    starts,
    () => LARGE,
    (start) => whole.update(bytes.subarray(start, start + LARGE)),
  );
  return tagOf(whole);
}

/** The tag's length: 132 bits of the hash. */
const LENGTH = 22;

export const tagOf = (whole: Hash): string => tagNamed(whole.digest('base64url').slice(0, LENGTH));

/** The tag of an answer with a version that changes with its bytes. */
export const tagNamed = (version: string): string => `"${version}"`;

/** Whether the client already has this answer. A proxy that compresses makes the tag weak; it still matches. */
export function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  return known === '*' || known.split(',').some((value) => bare(value) === bare(etag));
}
