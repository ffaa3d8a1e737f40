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
 * Answers are made smaller for those who ask, where nothing before the service does it: such answers alone as anybody is
 * given who asks without credentials. An answer that holds somebody's secret stays as long as it is, so that its length tells
 * nothing of the secret to whoever has a say in the rest of it. So this is called where public answers are sent, and
 * nowhere else.
 */

/** What is shorter fits about a packet, and is not worth the work. */
const WORTHWHILE = 2_048;
/** Measured on lists of etches: the better ones take twice the time for the same size. */
const BROTLI: BrotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };
const GZIP = { level: 6 };

const asBrotli = promisify(brotliCompress);
const asGzip = promisify(gzip);

export type Coding = 'br' | 'gzip';

/** The coding that an answer may have, by what is accepted. */
export function codingFor({ headers }: FastifyRequest): Coding | undefined {
  const accepted = headers['accept-encoding'];
  if (accepted === undefined) return undefined;
  const refused = (name: string): boolean =>
    new RegExp(`\\b${name}\\s*;\\s*q=0(\\.0*)?\\s*(,|$)`).test(accepted);
  return (['br', 'gzip'] as const).find(
    (name) => new RegExp(`\\b${name}\\b`).test(accepted) && !refused(name),
  );
}

/** Of an answer for everybody; it is not held up by others meanwhile, nor they by it: the work is done beside. */
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

/** The same of an answer that is sent while it is made. */
export function compressor(request: FastifyRequest, reply: FastifyReply): Transform | undefined {
  varyByCoding(reply);
  const coding = codingFor(request);
  if (!coding) return undefined;
  mark(reply, coding);
  return coding === 'br' ? createBrotliCompress(BROTLI) : createGzip(GZIP);
}

/** Last of all, in the API: answers of public operations to those who brought no credentials. */
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

/** Its bytes are others now, and it is the same answer: what a weak tag says. */
function mark(reply: FastifyReply, coding: Coding): void {
  void reply.header('Content-Encoding', coding).removeHeader('Content-Length');
  const etag = reply.getHeader('etag');
  if (typeof etag === 'string' && !etag.startsWith('W/')) void reply.header('ETag', `W/${etag}`);
}
