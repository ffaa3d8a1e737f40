import { type Etch, isUuid } from '@svc/contract';
import {
  atomEntry,
  atomFeed,
  cardPath,
  challengeCalendar,
  challengeOembed,
  drawPortrait,
  embedPage,
  embedPolicy,
  etchCalendar,
  etchOembed,
  linkOembed,
  type OembedBounds,
  PORTRAITS,
} from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { renderSVG } from 'uqr';
import { lengthOf } from '../../etches/view.ts';
import { badField, Failure } from '../../platform/failure.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { envelope, sendError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { answerRecord } from '../routes/records.ts';
import { assets } from './assets.ts';
import { fileHeaders, htmlHeaders, pictureHeaders, sendFresh } from './send.ts';
import { siteOf } from './site.ts';
import { type Kind, subjectFinder } from './subjects.ts';

interface Named {
  Params: { id: string };
}

/** Not longer, because the settings may change the origin. */
const DAY_SECONDS = 86_400;
const OUR_PATHS = /^\/(e|ch|u)\/([^/]+?)(?:\.md)?(?:\/(?:verify|embed|record\.md)?)?$/;

export function mountSharing(app: FastifyInstance, parts: Parts): void {
  const find = subjectFinder(parts);
  const site = siteOf(parts);

  app.get<Named>('/e/:id/embed', async (request, reply) => {
    const { etch } = await find('e', request.params.id);
    const files = assets().embed;
    return sendFresh(request, htmlHeaders(reply, embedPolicy(files)), embedPage(site, etch!, files));
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

  for (const kind of ['e', 'ch'] satisfies Kind[]) {
    app.get<Named>(`/${kind}/:id/qr.svg`, async (request, reply) => {
      const { shortUrl } = await find(kind, request.params.id);
      return pictureHeaders(reply, 'image/svg+xml')
        .header('Cache-Control', `public, max-age=${DAY_SECONDS}`)
        .send(renderSVG(shortUrl!, { border: 4, ecc: 'M' }));
    });

    app.get<Named>(`/${kind}/:id/calendar.ics`, async (request, reply) => {
      const { etch, challenge } = await find(kind, request.params.id);
      const calendar = challenge ? challengeCalendar(site, challenge) : etchCalendar(site, etch!);
      if (calendar === null)
        throw new Failure('not_found', 'this etch was public at once: there is no opening to wait for');
      const name = challenge ? `closing-${challenge.code}` : `opening-${etch!.code}`;
      const disposition = `attachment; filename="${name}.ics"`;
      void fileHeaders(reply, 'text/calendar; charset=utf-8').header('Content-Disposition', disposition);
      return sendFresh(request, reply, calendar);
    });
  }

  app.get<{ Params: { username: string } }>('/u/:username/feed.atom', async (request, reply) => {
    const cursor = onlyOne(request.query, 'cursor');
    const record = await answerRecord(parts, request.params.username, cursor === undefined ? {} : { cursor });
    void fileHeaders(reply, 'application/atom+xml; charset=utf-8');
    const entries = await mapInTimeSlices<Etch, string>(record.etches, lengthOf, (etch) =>
      atomEntry(site, etch),
    );
    return sendFresh(request, reply, atomFeed(site, record, { cursor, entries }));
  });

  app.get('/oembed', { errorHandler: sendError }, async (request, reply) => {
    const { query } = request;
    const format = onlyOne(query, 'format') ?? 'json';
    if (format !== 'json') {
      const failure = new Failure('bad_request', 'format must be json');
      return reply.code(501).header('Cache-Control', 'no-store').send(envelope(failure));
    }
    const url = onlyOne(query, 'url');
    if (url === undefined)
      throw badField('url', 'is missing: name the address of an etch, a challenge or an account');
    const bounds = readBounds(query);
    const { path, card, title, author, etch, challenge } = await findByUrl(url);
    const picture = parts.baseUrl + cardPath(path, card);
    const found = etch
      ? etchOembed(site, etch, picture, bounds)
      : challenge
        ? challengeOembed(site, challenge, picture, bounds)
        : linkOembed(site, { title, author }, picture, bounds);
    void reply.header('Content-Type', 'application/json; charset=utf-8');
    return sendFresh(request, reply, JSON.stringify(found));
  });

  async function findByUrl(url: string) {
    const ours = URL.canParse(url) && new URL(url).origin === new URL(parts.baseUrl).origin;
    const [, kind, name] = (ours && OUR_PATHS.exec(new URL(url).pathname)) || [];
    if (kind === undefined)
      throw new Failure(
        'not_found',
        'this is not the address of an etch, a challenge or an account of this service',
      );
    return find(kind as Kind, decoded(name!));
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
