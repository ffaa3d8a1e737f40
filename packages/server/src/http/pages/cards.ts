import {
  type Card,
  cardPath,
  type CardSubject,
  cardVersion,
  embedPolicy,
  homeCard,
  nameOf,
  recordCard,
  type RecordEmbed,
  recordEmbedPage,
  recordSvg,
} from '@svc/web';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { addressKey } from '../rate-limits.ts';
import { isKnown, tagNamed } from '../etag.ts';
import { type PageParts, siteOf } from './parts.ts';
import { pageHeaders, sendFresh } from './send.ts';
import { type Kind, subjectFinder } from './subjects.ts';
import { auditedAt } from '../../records/audit-store.ts';
import { scoreAccount } from '../../records/scores/score.ts';
import { answerRecord } from '../routes/records.ts';
import { takeAnonymous } from './session.ts';
import { assets } from './assets.ts';
import { orProblem, scoreContext } from './scores.ts';

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

interface Named {
  Params: { username: string };
}

const PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export function mountRecordEmbeds(app: FastifyInstance, parts: PageParts): void {
  const { db, clock, view } = parts.facts;
  const { pictures, meter } = parts.cards;
  const site = siteOf(parts.site);

  const find = async (request: FastifyRequest<Named>): Promise<RecordEmbed> => {
    await takeAnonymous(parts, request);
    const { username } = request.params;
    const { user } = await answerRecord({ db, clock, view }, username, { limit: '1' });
    const score = await orProblem(scoreAccount(scoreContext(parts), user.username, 1));
    const audited = await auditedAt(db, user.user_id, parts.lastAudit, clock.now());
    return { username: user.username, name: nameOf(user), score, audited };
  };

  app.get<Named>('/embed/u/:username', async (request, reply) => {
    const record = await find(request);
    const files = assets().embed;
    void pageHeaders(reply, embedPolicy(files)).header('Content-Type', 'text/html; charset=utf-8');
    return sendFresh(request, reply, recordEmbedPage(site, record, files));
  });

  app.get<Named>('/embed/u/:username.svg', async (request, reply) => {
    const record = await find(request);
    void pageHeaders(reply, PICTURE_POLICY)
      .header('Content-Type', 'image/svg+xml')
      .header('Cross-Origin-Resource-Policy', 'cross-origin');
    return sendFresh(request, reply, recordSvg(site, record));
  });

  app.get<Named>('/embed/u/:username.png', async (request, reply) => {
    const card = recordCard(site, await find(request));
    const known = pictures.known(card);
    if (!known) await meter.take(addressKey(request.ip));
    return pageHeaders(reply, PICTURE_POLICY)
      .header('Content-Type', 'image/png')
      .header('Cache-Control', 'no-cache')
      .header('Cross-Origin-Resource-Policy', 'cross-origin')
      .send(known ?? (await pictures.draw(card)));
  });
}
