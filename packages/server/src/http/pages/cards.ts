import { cardPath, cardVersion } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { addressKey } from '../address.ts';
import { isKnown } from '../etag.ts';
import type { PageParts } from './parts.ts';
import { pageHeaders } from './send.ts';
import { type Kind, subjectFinder } from './subjects.ts';

const NOTHING_ELSE = "default-src 'none'; frame-ancestors 'none'";

/**
 * Preview pictures, each under a version that names what it says. An older version leads to the one of now: a picture of
 * words that were erased is not to be had, whatever url is known.
 */
export function mountCards(app: FastifyInstance, parts: PageParts): void {
  const find = subjectFinder(parts);
  const { pictures, meter } = parts.cards;
  const { baseUrl } = parts.site;

  for (const kind of ['e', 'ch', 'u'] satisfies Kind[]) {
    app.get<{ Params: { id: string; version: string } }>(
      `/${kind}/:id/card-:version(^[0-9a-f]{16}$).png`,
      async (request, reply) => {
        const { path, card } = await find(kind, request.params.id);
        const version = cardVersion(card);
        void reply.header('Cache-Control', 'no-cache');
        if (version !== request.params.version) return reply.redirect(baseUrl + cardPath(path, card), 302);
        const etag = `"${version}"`;
        void pageHeaders(reply, NOTHING_ELSE)
          .header('ETag', etag)
          .header('Content-Type', 'image/png')
          // Made to be shown by others.
          .header('Cross-Origin-Resource-Policy', 'cross-origin');
        if (isKnown(request, etag)) return reply.code(304).send();
        const known = pictures.known(card);
        if (known) return reply.send(known);
        await meter.take(addressKey(request.ip));
        return reply.send(await pictures.draw(card));
      },
    );
  }
  app.addHook('onClose', () => pictures.close());
}
