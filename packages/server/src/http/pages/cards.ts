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
import { auditedAt } from '../../records/audit-store.ts';
import { scoreAccount } from '../../records/scores/score.ts';
import { isKnown, tagNamed } from '../representation.ts';
import { type Parts, scoreContext } from '../parts.ts';
import { addressKey } from '../rate-limits.ts';
import { answerRecord } from '../routes/records.ts';
import { assets } from './assets.ts';
import { orProblem } from './page-data.ts';
import { htmlHeaders, pictureHeaders, sendFresh } from './send.ts';
import { takeAnonymous } from './session.ts';
import { siteOf } from './site.ts';
import { type Kind, subjectFinder } from './subjects.ts';

const FILE = 'card-:version(^[0-9a-f]{16}$).png';

/** The URL contains a version of the text. An older one redirects, so that no URL shows a picture of erased words. */
export function mountCards(app: FastifyInstance, parts: Parts): void {
  const find = subjectFinder(parts);
  const { pictures, meters, baseUrl } = parts;

  app.get<{ Params: { version: string } }>(`/${FILE}`, async (request, reply) =>
    show(request, reply, '', homeCard(siteOf(parts))),
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
    void pictureHeaders(reply, 'image/png').header('ETag', etag);
    if (isKnown(request, etag)) return reply.code(304).send();
    const known = pictures.known(card);
    if (known) return reply.send(known);
    await meters.card.take(addressKey(request.ip));
    return reply.send(await pictures.draw(card));
  }
}

interface Named {
  Params: { username: string };
}

const STYLED = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export function mountRecordEmbeds(app: FastifyInstance, parts: Parts): void {
  const { pictures, meters } = parts;
  const site = siteOf(parts);

  const find = async (request: FastifyRequest<Named>): Promise<RecordEmbed> => {
    await takeAnonymous(parts, request);
    const { user } = await answerRecord(parts, request.params.username, { limit: '1' });
    const score = await orProblem(scoreAccount(scoreContext(parts), user.username, 1));
    const audited = await auditedAt(parts.db, user.user_id, parts.lastAudit, parts.clock.now());
    return { username: user.username, name: nameOf(user), score, audited };
  };

  app.get<Named>('/embed/u/:username', async (request, reply) => {
    const record = await find(request);
    const files = assets().embed;
    return sendFresh(request, htmlHeaders(reply, embedPolicy(files)), recordEmbedPage(site, record, files));
  });

  app.get<Named>('/embed/u/:username.svg', async (request, reply) => {
    const record = await find(request);
    return sendFresh(request, pictureHeaders(reply, 'image/svg+xml', STYLED), recordSvg(site, record));
  });

  app.get<Named>('/embed/u/:username.png', async (request, reply) => {
    const card = recordCard(site, await find(request));
    const known = pictures.known(card);
    if (!known) await meters.card.take(addressKey(request.ip));
    return pictureHeaders(reply, 'image/png', STYLED)
      .header('Cache-Control', 'no-cache')
      .send(known ?? (await pictures.draw(card)));
  });
}
