import { createHash, hash, type Hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mapInTimeSlices } from '../flow/time-slices.ts';

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
  const tag = (etag: string): void => {
    void reply.header('ETag', etag);
    if (!isKnown(request, etag)) return done(null, payload);
    void reply.code(304).removeHeader('content-length');
    done(null, '');
  };
  const etag = reply.getHeader('etag') as string | undefined;
  if (etag !== undefined) return tag(etag);
  if (payload.length < LARGE) return tag(etagOf(payload));
  void etagInSlices(payload).then(tag);
}

/** What is shorter is hashed in one go, in a millisecond. */
const LARGE = 512 * 1024;

/** One way for all answers: a strong tag of the bytes. */
export function etagOf(text: string | Uint8Array): string {
  return tagNamed(hash('sha256', text, 'base64url').slice(0, LENGTH));
}

/** A tag of a part of an answer: what has the same tag says the same, in other bytes perhaps. */
export const weakTagOf = (text: string): string => `W/${etagOf(text)}`;

/** The same of a large answer, while others have their turn. */
export async function etagInSlices(text: string | Uint8Array): Promise<string> {
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

/** So much of a hash names an answer: 132 bits. */
const LENGTH = 22;

export const tagOf = (whole: Hash): string => tagNamed(whole.digest('base64url').slice(0, LENGTH));

/** The tag of an answer that has a name of its own, which changes with its bytes. */
export const tagNamed = (version: string): string => `"${version}"`;

/** Has who asks this answer already? A proxy that compresses makes a tag weak: it names the same. */
export function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  return known === '*' || known.split(',').some((value) => bare(value) === bare(etag));
}
