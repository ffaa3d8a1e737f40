import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  type BrotliOptions,
} from 'node:zlib';
import type { Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/**
 * Compresses answers that every signed-out client gets, for deployments without a compressing proxy. An answer that may contain a secret
 * is never compressed: its length could reveal the secret to a client that controls another part of the answer (BREACH). Therefore only
 * code that sends public answers calls this module.
 */

/** A shorter body fits into about one packet; compressing it saves nothing. */
const WORTHWHILE = 2_048;
/** Measured on lists of etches: higher levels take twice the time for the same size. */
const BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 6 };

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

export type Coding = 'br' | 'gzip';

/** The content coding to use, from `Accept-Encoding`. */
export function codingFor({ headers }: FastifyRequest): Coding | undefined {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return undefined;
  const refused = (name: string): boolean =>
    new RegExp(`\\b${name}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`).test(accepted);
  return (['br', 'gzip'] as const).find(
    (name) => new RegExp(`\\b${name}\\b`).test(accepted) && !refused(name),
  );
}

/** Compresses a public answer on another thread, so that other requests do not wait. */
export async function compressed<Body extends string | Uint8Array>(
  request: FastifyRequest,
  reply: FastifyReply,
  body: Body,
): Promise<Body | Buffer> {
  varyByCoding(reply);
  const coding = codingFor(request);
  if (!coding || body.length < WORTHWHILE || reply.statusCode !== 200) return body;
  mark(reply, coding);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return coding === 'br' ? asBrotli(bytes, BROTLI) : asGzip(bytes, GZIP);
}

/** The same for an answer that is streamed. */
export function compressor(request: FastifyRequest, reply: FastifyReply): Transform | undefined {
  varyByCoding(reply);
  const coding = codingFor(request);
  if (!coding) return undefined;
  mark(reply, coding);
  return coding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
}

/** The last hook of the API: compresses answers of public operations to clients without credentials. */
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

/** Makes the ETag weak: other bytes, the same answer. */
function mark(reply: FastifyReply, coding: Coding): void {
  void reply.header('Content-Encoding', coding).removeHeader('Content-Length');
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string' && !etag.startsWith('W/')) void reply.header('ETag', `W/${etag}`);
}
