// ETags, media types and compression of answers.
import { createHash, hash, type Hash } from 'node:crypto';
import { promisify } from 'node:util';
import {
  brotliCompress,
  type BrotliOptions,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
} from 'node:zlib';
import type { Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { mapInTimeSlices } from '../platform/flow/time-slices.ts';

/** Adds an ETag to `no-cache` answers. Each answer is built again, so a retraction shows at once. */
export function addEtag<Payload>(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: Payload,
  done: (error: null, payload: Payload | Uint8Array | string) => void,
): void {
  if (
    reply.statusCode !== 200 ||
    !(typeof payload === 'string' || payload instanceof Uint8Array) ||
    reply.getHeader('cache-control') !== 'no-cache'
  ) {
    return done(null, payload);
  }
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
  const tag = (etag: string): void => {
    void reply.header('ETag', etag);
    if (!isKnown(request, etag)) return done(null, bytes);
    void reply.code(304).removeHeader('content-length');
    done(null, '');
  };
  const etag = reply.getHeader('etag') as string | undefined;
  if (etag !== undefined) return tag(etag);
  void etagInPieces(bytes).then(tag);
}

const LARGE = 512 * 1024;

export function etagOf(text: string | Uint8Array): string {
  return tagNamed(hash('sha256', text, 'base64url').slice(0, LENGTH));
}

/** The media types of an Accept header with their weights; NaN for a weight that is no number. */
export const acceptedTypes = (accept = ''): { type: string; weight: number }[] =>
  accept.split(',').map((part) => {
    const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
  });

export const weakTagOf = (text: string): string => `W/${etagOf(text)}`;

export async function etagInPieces(bytes: Uint8Array): Promise<string> {
  if (bytes.length < LARGE) return etagOf(bytes);
  const whole = createHash('sha256');
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
  if (known === '*' || known === etag) return true;
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  return known.split(',').some((value) => bare(value) === bare(etag));
}

/** Compresses public answers only: the length of an answer with a secret could reveal it (BREACH). */

const WORTHWHILE = 2_048;
/** Higher levels take twice the time for the same size. */
const BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 6 };

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

export type Coding = 'br' | 'gzip';

export function codingFor({ headers }: FastifyRequest): Coding | undefined {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return undefined;
  const refused = (name: string): boolean =>
    new RegExp(`\\b${name}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`).test(accepted);
  return (['br', 'gzip'] as const).find(
    (name) => new RegExp(`\\b${name}\\b`).test(accepted) && !refused(name),
  );
}

export async function compressed<Body extends string | Uint8Array>(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
): Promise<Body | Buffer> {
  varyByCoding(reply);
  const coding = codingFor(request);
  if (!coding || body.length < WORTHWHILE || reply.statusCode !== 200) return body;
  mark(reply, coding);
  return coding === 'br' ? asBrotli(body, BROTLI) : asGzip(body, GZIP);
}

export function compressor(request: FastifyRequest, reply: FastifyReply): Transform | undefined {
  varyByCoding(reply);
  const coding = codingFor(request);
  if (!coding) return undefined;
  mark(reply, coding);
  return coding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
}

/** Runs as the last hook, only for public operations and clients without credentials. */
export function compressPublic<Payload>(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: Payload,
  done: (error: Error | null, payload?: Payload | Buffer) => void,
): void {
  const { operation } = request.routeOptions.config;
  const isPublic = operation?.auth === 'public' && operation.method === 'GET' && request.caller === null;
  if (!isPublic || !(typeof payload === 'string' || payload instanceof Uint8Array))
    return done(null, payload);
  compressed(request, reply, payload).then(
    (body) => done(null, body as Payload | Buffer),
    (error: unknown) => done(error as Error),
  );
}

export function varyByCoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary');
  void reply.header('Vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`);
}

function mark(reply: FastifyReply, coding: Coding): void {
  void reply.header('Content-Encoding', coding).removeHeader('Content-Length');
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string' && !etag.startsWith('W/')) void reply.header('ETag', `W/${etag}`);
}
