import { embedPolicy, nameOf, recordCard, type RecordEmbed, recordEmbedPage, recordSvg } from '@svc/web';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { scoreAccount } from '../../records/scores/score.ts';
import { addressKey } from '../address.ts';
import { answerRecord } from '../routes/records.ts';
import { takeAnonymous } from './allowance.ts';
import { assets } from './assets.ts';
import { type PageParts, siteOf } from './parts.ts';
import { orProblem, scoreContext } from './scores.ts';
import { pageHeaders, sendFresh } from './send.ts';

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
    return { username: user.username, name: nameOf(user), score };
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
