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

/** The forms of docs/specification.md#records-at-their-urls. */
export type Form = 'html' | 'json' | 'markdown';

const FORMS: Readonly<Record<string, Form>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/json': 'json',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
};

export function namedForm(accept: string | undefined): Form | undefined {
  const named = (accept ?? '')
    .split(',')
    .map((part) => {
      const [type = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='));
      return { form: FORMS[type], weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ form, weight }) => form !== undefined && weight > 0);
  return named.sort((a, b) => b.weight - a.weight)[0]?.form;
}

export const wantedForm = (accept: string | undefined): Form => namedForm(accept) ?? 'html';

export function splitEnding(text: string, accept: string | undefined): { name: string; form: Form } {
  return text.endsWith('.md')
    ? { name: text.slice(0, -'.md'.length), form: 'markdown' }
    : { name: text, form: wantedForm(accept) };
}

export function seeOther(reply: FastifyReply, path: string): FastifyReply {
  return reply.header('Cache-Control', 'no-store').redirect(path, 303);
}

const NAME = '(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[2-9a-hjkmnp-z]{6})';
/** Characters that often follow a pasted URL. Some clients percent-encode them. */
const SIGNS = '(?:[/.,)\\]]|%2[9CEF]|%5D)+';
const ENDED = new RegExp(`^(/(?:e|ch)/${NAME}(?:\\.md)?)${SIGNS}(\\?.*)?$`, 'i');

function withoutEnd(url: string): string | undefined {
  const [, address, query = ''] = ENDED.exec(url) ?? [];
  return address === undefined ? undefined : address + query;
}

export function leaveOutEnd({ method, url }: FastifyRequest, reply: FastifyReply): boolean {
  const address = method === 'GET' || method === 'HEAD' ? withoutEnd(url) : undefined;
  if (address === undefined) return false;
  void reply.redirect(address, 308);
  return true;
}
