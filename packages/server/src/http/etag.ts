import { createHash, hash, type Hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mapInTimeSlices } from '../platform/flow/time-slices.ts';

/** Adds an ETag to `no-cache` answers. Each answer is built again, so a retraction shows at once. */
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

const LARGE = 512 * 1024;

export function etagOf(text: string | Uint8Array): string {
  return tagNamed(hash('sha256', text, 'base64url').slice(0, LENGTH));
}

export const weakTagOf = (text: string): string => `W/${etagOf(text)}`;

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

const LENGTH = 22;

export const tagOf = (whole: Hash): string => tagNamed(whole.digest('base64url').slice(0, LENGTH));

export const tagNamed = (version: string): string => `"${version}"`;

export function isKnown({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match'];
  if (known === undefined) return false;
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  return known === '*' || known.split(',').some((value) => bare(value) === bare(etag));
}
