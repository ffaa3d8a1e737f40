import { type Page, pagePieces } from '@svc/web';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compressed, varyByCoding } from '../compress.ts';
import { etagInPieces, isKnown } from '../etag.ts';
import { jsonInPieces, textInPieces } from '../large-answers.ts';

/** Pages that verify may read the chain at any URL. */
export function pagePolicy({ readsChain }: Pick<Page, 'readsChain'>, formTarget?: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self'${readsChain ? ' https: http:' : ''}`,
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Promise<FastifyReply> {
  void pageHeaders(reply, pagePolicy(page)).header('Content-Type', 'text/html; charset=utf-8');
  // A `no-store` page is not shown after the sign-out.
  if (request.session)
    return reply.header('Cache-Control', 'no-store').send(await textInPieces(pagePieces(page)));
  return sendFresh(request, reply, await textInPieces(pagePieces(page)), 'Accept, Cookie');
}

export function sendMarkdown(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<FastifyReply> {
  return sendFresh(request, reply.header('Content-Type', 'text/markdown; charset=utf-8'), text);
}

export async function sendData(
  request: FastifyRequest,
  reply: FastifyReply,
  data: unknown,
): Promise<FastifyReply> {
  return sendFresh(
    request,
    reply.header('Content-Type', 'application/json; charset=utf-8'),
    await jsonInPieces(data),
  );
}

export function pageHeaders(reply: FastifyReply, contentSecurityPolicy: string): FastifyReply {
  return reply
    .header('Content-Security-Policy', contentSecurityPolicy)
    .header('Referrer-Policy', 'same-origin')
    .header('Cross-Origin-Opener-Policy', 'same-origin')
    .header('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()');
}

/** Pages are revalidated each time, so a retraction shows at once. */
export async function sendFresh(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: string | Buffer,
  vary = 'Accept',
): Promise<FastifyReply> {
  const body = typeof answer === 'string' ? await textInPieces(answer) : answer;
  const etag = await etagInPieces(body);
  void reply.header('Vary', vary).header('ETag', etag);
  if (reply.statusCode >= 400) return reply.send(body);
  void reply.header('Cache-Control', 'no-cache');
  // The answer is private, even if only the head of the page differs.
  if (request.session) return isKnown(request, etag) ? reply.code(304).send() : reply.send(body);
  if (!isKnown(request, etag)) return reply.send(await compressed(request, reply, body));
  varyByCoding(reply);
  return reply.code(304).send();
}
