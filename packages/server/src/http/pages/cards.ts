import { type Card, cardPath, type CardSubject, cardVersion, homeCard } from '@svc/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressKey } from '../address.ts';
import { isKnown, tagNamed } from '../etag.ts';
import { type PageParts, siteOf } from './parts.ts';
import { pageHeaders } from './send.ts';
import { type Kind, subjectFinder } from './subjects.ts';

const FILE = 'card-:version(^[0-9a-f]{16}$).png';
const NOTHING_ELSE = "default-src 'none'; frame-ancestors 'none'";

/** The URL contains a version of the text. An older one redirects, so that no URL shows a picture of erased words. */
export function mountCards(app: FastifyInstance, parts: PageParts): void {
  const find = subjectFinder(parts);
  const { pictures, meter } = parts.cards;
  const { baseUrl } = parts.site;

  app.get<{ Params: { version: string } }>(`/${FILE}`, async (request, reply) =>
    show(request, reply, '', homeCard(siteOf(parts.site))),
  );
  for (const kind of ['e', 'ch', 'u'] satisfies Kind[]) {
    app.get<{ Params: { id: string; version: string } }>(`/${kind}/:id/${FILE}`, async (request, reply) => {
      const { path, card } = await find(kind, request.params.id);
      return show(request, reply, path, card);
    });
  }
  app.addHook('onClose', () => pictures.close());

  async function show(
    request: FastifyRequest<{ Params: { version: string } }>,
    reply: FastifyReply,
    path: CardSubject,
    card: Card,
  ): Promise<FastifyReply> {
    const version = cardVersion(card);
    void reply.header('Cache-Control', 'no-cache');
    if (version !== request.params.version) return reply.redirect(baseUrl + cardPath(path, card), 302);
    const etag = tagNamed(version);
    void pageHeaders(reply, NOTHING_ELSE)
      .header('ETag', etag)
      .header('Content-Type', 'image/png')
      // Other sites may embed the picture.
      .header('Cross-Origin-Resource-Policy', 'cross-origin');
    if (isKnown(request, etag)) return reply.code(304).send();
    const known = pictures.known(card);
    if (known) return reply.send(known);
    await meter.take(addressKey(request.ip));
    return reply.send(await pictures.draw(card));
  }
}
