// Sends a page as HTML, JSON or Markdown, with its security headers.
import type { Page } from '@svc/web/site';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedTypes, compressed, etagInPieces, isKnown, varyByCoding } from '../representation.ts';
import { jsonInPieces, textInPieces } from '../large-answers.ts';

/** The forms of docs/specification.md#records-at-their-urls. */
type PageForm = 'html' | 'json' | 'markdown';

const PAGE_FORMS: Readonly<Record<string, PageForm>> = {
  'text/html': 'html',
  'application/xhtml+xml': 'html',
  'application/json': 'json',
  'text/markdown': 'markdown',
  'text/x-markdown': 'markdown',
};

export function namedForm({ headers }: FastifyRequest): PageForm | undefined {
  const named = acceptedTypes(headers.accept).filter(
    ({ type, weight }) => Object.hasOwn(PAGE_FORMS, type) && weight > 0,
  );
  return PAGE_FORMS[named.sort((a, b) => b.weight - a.weight)[0]?.type ?? ''];
}

export const wantedForm = (request: FastifyRequest): PageForm => namedForm(request) ?? 'html';

export const wantsJson = (request: FastifyRequest): boolean => wantedForm(request) === 'json';

export function splitEnding(text: string, request: FastifyRequest): { name: string; form: PageForm } {
  return text.endsWith('.md')
    ? { name: text.slice(0, -'.md'.length), form: 'markdown' }
    : { name: text, form: wantedForm(request) };
}

/** Pages that verify may read the chain at any URL. */
export function pagePolicy({ readsChain }: Pick<Page, 'readsChain'>, formTarget?: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    `connect-src 'self'${readsChain ? ' https: http:' : ''}`,
    `form-action 'self'${formTarget === undefined ? '' : ` ${formTarget}`}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Lets the handlers of a scope return a page, or data for a client that asked for JSON. */
export function sendReturned(pages: FastifyInstance): void {
  pages.addHook('onRoute', (route) => {
    const { handler } = route;
    route.handler = async function (request, reply) {
      const answer: unknown = await handler.call(this, request, reply);
      if (typeof answer !== 'object' || answer === null) return answer;
      return isPage(answer) ? sendPage(request, reply, answer) : sendData(request, reply, answer);
    };
  });
}

const isPage = (answer: object): answer is Page => 'html' in answer && 'readsChain' in answer;

export async function sendPage(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
): Promise<FastifyReply> {
  void htmlHeaders(reply, pagePolicy(page));
  const text = await textInPieces(page.html);
  // Back shows a form's answer only from the cache. The cookie is another one after the sign-out.
  if (request.method === 'POST')
    return reply.header('Cache-Control', 'private, no-cache').header('Vary', 'Cookie').send(text);
  // A `no-store` page is not shown after the sign-out.
  if (request.session || reply.getHeader('Cache-Control') === 'no-store')
    return reply.header('Cache-Control', 'no-store').send(text);
  return sendFresh(request, reply, text, 'Accept, Cookie');
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
  void reply.header('Content-Type', 'application/json; charset=utf-8');
  return sendFresh(request, reply, await jsonInPieces(data));
}

export const htmlHeaders = (reply: FastifyReply, policy: string): FastifyReply =>
  fileHeaders(reply, 'text/html; charset=utf-8', policy);

const PICTURE_POLICY = "default-src 'none'; frame-ancestors 'none'";

/** Other sites may embed a picture. */
export const pictureHeaders = (reply: FastifyReply, type: string, policy = PICTURE_POLICY): FastifyReply =>
  fileHeaders(reply, type, policy).header('Cross-Origin-Resource-Policy', 'cross-origin');

export function fileHeaders(reply: FastifyReply, type: string, policy = PICTURE_POLICY): FastifyReply {
  return reply
    .header('Content-Security-Policy', policy)
    .header('Referrer-Policy', 'same-origin')
    .header('Cross-Origin-Opener-Policy', 'same-origin')
    .header('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()')
    .header('Content-Type', type);
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

export function seeOther(reply: FastifyReply, path: string): FastifyReply {
  return reply.header('Cache-Control', 'no-store').redirect(path, 303);
}

const NAME = '(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[2-9a-hjkmnp-z]{6})';
/** Characters that often follow a pasted URL. Some clients percent-encode them. */
const SIGNS = '(?:[/.,)\\]]|%2[9CEF]|%5D)+';
const ENDED = new RegExp(`^(/(?:e|ch)/${NAME}(?:\\.md)?)${SIGNS}(\\?.*)?$`, 'i');

export function leaveOutEnd({ method, url }: FastifyRequest, reply: FastifyReply): boolean {
  const [, address, query = ''] = ((method === 'GET' || method === 'HEAD') && ENDED.exec(url)) || [];
  if (address === undefined) return false;
  void reply.redirect(address + query, 308);
  return true;
}

/** Refuses `//host/` and `/\\host/`, which would lead to another origin. */
export function leaveOutSlash({ url }: FastifyRequest, reply: FastifyReply): boolean {
  const query = url.indexOf('?');
  const path = query === -1 ? url : url.slice(0, query);
  let end = path.length;
  while (path[end - 1] === '/') end--;
  if (end === path.length || !/^\/[^/\\]/.test(path)) return false;
  void reply.redirect(path.slice(0, end) + url.slice(path.length), 308);
  return true;
}
