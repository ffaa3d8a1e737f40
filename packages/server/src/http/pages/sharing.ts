// Embeds, oEmbed, preview pictures and portraits.
import { type Etch, isUuid } from '@svc/contract';
import { atomEntry, atomFeed } from '@svc/web/sharing/atom';
import { type Card, cardPath, type CardSubject, cardVersion, homeCard } from '@svc/web/cards/card';
import { challengeCalendar, etchCalendar } from '@svc/web/sharing/calendar';
import { challengeOembed, etchOembed, linkOembed, type OembedBounds } from '@svc/web/sharing/oembed';
import { drawPortrait, PORTRAITS } from '@svc/web/parts/author';
import { embedPage, embedPolicy } from '@svc/web/sharing/embed';
import { nameOf } from '@svc/web/etch-text';
import { recordCard, type RecordEmbed, recordEmbedPage, recordSvg } from '@svc/web/sharing/record-embed';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { renderSVG } from 'uqr';
import { lengthOf } from '../../etches/view.ts';
import { badField, Failure } from '../../platform/failure.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { envelope, sendError } from '../errors.ts';
import { type HttpDependencies, readContext, scoreContext } from '../dependencies.ts';
import { answerRecord } from '../routes/records.ts';
import { assets } from './assets.ts';
import { fileHeaders, htmlHeaders, pictureHeaders, sendFresh } from './send.ts';
import { siteOf } from './site.ts';
import { type SubjectKind, subjectFinder } from './find-subject.ts';
import { auditedAt } from '../../records/audit-store.ts';
import { judgeForecast } from '../../records/scores/resolution.ts';
import { scoreAccount } from '../../records/scores/score.ts';
import { isKnown, tagNamed } from '../representation.ts';
import { addressKey, whoOf } from '../rate-limits.ts';
import { orProblem } from './page-data.ts';
import { takeAnonymous } from './session.ts';

interface Named {
  Params: { id: string };
}

/** Not longer, because the settings may change the origin. */
const DAY_SECONDS = 86_400;
const OUR_PATHS = /^\/(e|ch|u)\/([^/]+?)(?:\.md)?(?:\/(?:verify|embed|record\.md)?)?$/;

export function mountSharing(app: FastifyInstance, deps: HttpDependencies): void {
  const find = subjectFinder(deps);
  const site = siteOf(deps);

  app.get<Named>('/e/:id/embed', async (request, reply) => {
    const { etch } = await find('e', request.params.id, request);
    const files = assets().embed;
    const result = await judgeForecast(deps.db, etch!, readContext(deps));
    const page = embedPage(site, etch!, files, result);
    return sendFresh(request, htmlHeaders(reply, embedPolicy(files)), page);
  });

  app.get<Named>(`${PORTRAITS}:id.svg`, async (request, reply) => {
    const { id } = request.params;
    // The picture does not reveal whether the account exists.
    if (!isUuid(id) || id !== id.toLowerCase()) throw new Failure('not_found', 'there is no such picture');
    return fileHeaders(reply, 'image/svg+xml')
      .header('Cache-Control', `public, max-age=${365 * DAY_SECONDS}, immutable`)
      .header('Cross-Origin-Resource-Policy', 'same-origin')
      .send(drawPortrait(id));
  });

  for (const kind of ['e', 'ch'] satisfies SubjectKind[]) {
    app.get<Named>(`/${kind}/:id/qr.svg`, async (request, reply) => {
      const { shortUrl } = await find(kind, request.params.id, request);
      return pictureHeaders(reply, 'image/svg+xml')
        .header('Cache-Control', `public, max-age=${DAY_SECONDS}`)
        .send(renderSVG(shortUrl!, { border: 4, ecc: 'M' }));
    });

    app.get<Named>(`/${kind}/:id/calendar.ics`, async (request, reply) => {
      const { etch, challenge } = await find(kind, request.params.id, request);
      const calendar = challenge ? challengeCalendar(site, challenge) : etchCalendar(site, etch!);
      if (calendar === null)
        throw new Failure('not_found', 'this etch was public at once: there is no opening to wait for');
      const name = challenge ? `closing-${challenge.code}` : `opening-${etch!.code}`;
      const disposition = `attachment; filename="${name}.ics"`;
      void fileHeaders(reply, 'text/calendar; charset=utf-8').header('Content-Disposition', disposition);
      return sendFresh(request, reply, calendar);
    });
  }

  app.get<OfAccount>('/u/:username/feed.atom', async (request, reply) => {
    const cursor = onlyOne(request.query, 'cursor');
    const record = await answerRecord(deps, request.params.username, {
      ...(cursor !== undefined && { cursor }),
      who: whoOf(request),
    });
    void fileHeaders(reply, 'application/atom+xml; charset=utf-8');
    const entries = await mapInTimeSlices<Etch, string>(record.etches, lengthOf, (etch) =>
      atomEntry(site, etch),
    );
    return sendFresh(request, reply, atomFeed(site, record, { cursor, entries }));
  });

  app.get('/oembed', { errorHandler: sendError }, async (request, reply) => {
    const { query } = request;
    const format = onlyOne(query, 'format') ?? 'json';
    if (format.toLowerCase() !== 'json') {
      const failure = new Failure('bad_request', 'format must be json');
      return reply.code(501).header('Cache-Control', 'no-store').send(envelope(failure));
    }
    const url = onlyOne(query, 'url');
    if (url === undefined)
      throw badField('url', 'is missing: name the address of an etch, a challenge or an account');
    const bounds = readBounds(query);
    const { path, readCard, title, author, etch, challenge } = await findByUrl(url, request);
    const picture = deps.baseUrl + cardPath(path, await readCard());
    const found = etch
      ? etchOembed(site, etch, picture, bounds)
      : challenge
        ? challengeOembed(site, challenge, picture, bounds)
        : linkOembed(site, { title, author }, picture, bounds);
    void reply.header('Content-Type', 'application/json; charset=utf-8');
    return sendFresh(request, reply, JSON.stringify(found));
  });

  async function findByUrl(url: string, request: FastifyRequest) {
    const ours = URL.canParse(url) && new URL(url).origin === new URL(deps.baseUrl).origin;
    const [, kind, name] = (ours && OUR_PATHS.exec(new URL(url).pathname)) || [];
    if (kind === undefined)
      throw new Failure(
        'not_found',
        'this is not the address of an etch, a challenge or an account of this service',
      );
    return find(kind as SubjectKind, decoded(name!), request);
  }
}

function readBounds(query: unknown): OembedBounds {
  const read = (name: 'maxwidth' | 'maxheight'): number | undefined => {
    const text = onlyOne(query, name);
    if (text === undefined) return undefined;
    if (!/^[1-9]\d{0,5}$/.test(text)) throw badField(name, 'must be a whole number of pixels');
    return Number(text);
  };
  const [maxWidth, maxHeight] = [read('maxwidth'), read('maxheight')];
  return { ...(maxWidth && { maxWidth }), ...(maxHeight && { maxHeight }) };
}

function onlyOne(query: unknown, name: string): string | undefined {
  const value = (query as Record<string, unknown>)[name];
  if (value === undefined || typeof value === 'string') return value === '' ? undefined : value;
  throw badField(name, 'must be given once');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const FILE = 'card-:version(^[0-9a-f]{16}$).png';

/** The URL contains a version of the text. An older one redirects, so that no URL shows a picture of erased words. */
export function mountCards(app: FastifyInstance, deps: HttpDependencies): void {
  const find = subjectFinder(deps);
  const { pictures, meters, baseUrl } = deps;

  app.get<{ Params: { version: string } }>(`/${FILE}`, async (request, reply) =>
    show(request, reply, '', homeCard(siteOf(deps))),
  );
  for (const kind of ['e', 'ch', 'u'] satisfies SubjectKind[]) {
    app.get<{ Params: { id: string; version: string } }>(`/${kind}/:id/${FILE}`, async (request, reply) => {
      const { path, readCard } = await find(kind, request.params.id, request);
      return show(request, reply, path, await readCard());
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
    return reply.send(await pictures.draw(card, whoOf(request)));
  }
}

interface OfAccount {
  Params: { username: string };
}

const STYLED = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

export function mountRecordEmbeds(app: FastifyInstance, deps: HttpDependencies): void {
  const { pictures, meters } = deps;
  const site = siteOf(deps);

  const find = async (request: FastifyRequest<OfAccount>): Promise<RecordEmbed> => {
    await takeAnonymous(deps, request);
    const { user } = await answerRecord(deps, request.params.username, {
      limit: '1',
      who: whoOf(request),
    });
    const score = await orProblem(scoreAccount(scoreContext(deps, request), user.username, 1));
    const audited = await auditedAt(deps.db, user.user_id, deps.lastAudit, deps.clock.now());
    return { username: user.username, name: nameOf(user), score, audited };
  };

  app.get<OfAccount>('/embed/u/:username', async (request, reply) => {
    const record = await find(request);
    const files = assets().embed;
    return sendFresh(request, htmlHeaders(reply, embedPolicy(files)), recordEmbedPage(site, record, files));
  });

  app.get<OfAccount>('/embed/u/:username.svg', async (request, reply) => {
    const record = await find(request);
    return sendFresh(request, pictureHeaders(reply, 'image/svg+xml', STYLED), recordSvg(site, record));
  });

  app.get<OfAccount>('/embed/u/:username.png', async (request, reply) => {
    const card = recordCard(site, await find(request));
    const known = pictures.known(card);
    if (!known) await meters.card.take(addressKey(request.ip));
    return pictureHeaders(reply, 'image/png', STYLED)
      .header('Cache-Control', 'no-cache')
      .send(known ?? (await pictures.draw(card, whoOf(request))));
  });
}
