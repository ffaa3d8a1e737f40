import type { Page } from '@svc/web';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, isKnown } from '../etag.ts';

/** Nothing but our own files, and nobody may frame a page. Verifying pages read the chain wherever the reader says.
 * `formTarget`: where else a form may lead. */
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

export function sendPage(request: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  void pageHeaders(reply, pagePolicy(page)).header('Content-Type', 'text/html; charset=utf-8');
  // What a signed-in reader sees is nobody else's, not even the same browser's once they are signed out.
  if (request.session) return reply.header('Cache-Control', 'no-store').send(page.html);
  return sendFresh(request, reply, page.html, 'Accept, Cookie');
}

export function sendMarkdown(request: FastifyRequest, reply: FastifyReply, text: string): FastifyReply {
  return sendFresh(request, reply.header('Content-Type', 'text/markdown; charset=utf-8'), text);
}

export function sendData(request: FastifyRequest, reply: FastifyReply, data: unknown): FastifyReply {
  return sendFresh(
    request,
    reply.header('Content-Type', 'application/json; charset=utf-8'),
    JSON.stringify(data),
  );
}

export function pageHeaders(reply: FastifyReply, contentSecurityPolicy: string): FastifyReply {
  return reply
    .header('Content-Security-Policy', contentSecurityPolicy)
    .header('Referrer-Policy', 'same-origin')
    .header('Cross-Origin-Opener-Policy', 'same-origin')
    .header('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()');
}

/**
 * Asked for again each time, and sent again only when it changed: a retraction shows at once
 * (docs/specification.md#get-etchesid).
 */
export function sendFresh(
  request: FastifyRequest,
  reply: FastifyReply,
  body: string,
  vary = 'Accept',
): FastifyReply {
  const etag = etagOf(body);
  void reply.header('Vary', vary).header('ETag', etag);
  // An error is set on no page's account.
  if (reply.statusCode >= 400) return reply.send(body);
  void reply.header('Cache-Control', 'no-cache');
  return isKnown(request, etag) ? reply.code(304).send() : reply.send(body);
}
