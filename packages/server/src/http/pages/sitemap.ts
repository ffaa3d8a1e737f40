import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createSitemaps, ON_A_SITEMAP } from '../../discovery/sitemap.ts';
import { Failure } from '../../platform/failure.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { takeAnonymous } from './allowance.ts';
import type { PageParts } from './parts.ts';
import { sendFresh } from './send.ts';

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const NAME = /^(\d{4}-\d\d-\d\d)(?:-([1-9]\d{0,3}))?$/;

export function mountSitemap(app: FastifyInstance, parts: PageParts): void {
  const { baseUrl } = parts.site;
  const sitemaps = createSitemaps(parts.discovery);

  app.get('/sitemap.xml', async (request, reply) => {
    await takeAnonymous(parts, request);
    const days = await sitemaps.days();
    const names = days.flatMap(({ day, count }) =>
      Array.from({ length: Math.ceil(count / ON_A_SITEMAP) }, (_, index) =>
        index === 0 ? day : `${day}-${index + 1}`,
      ),
    );
    const entries = names.map((name) => element('sitemap', `${baseUrl}/sitemap-${name}.xml`));
    return sendXml(request, reply, 'sitemapindex', entries);
  });

  app.get<{ Params: { name: string } }>('/sitemap-:name(^[0-9-]{10,15}$).xml', async (request, reply) => {
    await takeAnonymous(parts, request);
    const [, day, page = '1'] = NAME.exec(request.params.name) ?? [];
    if (day === undefined || !isDay(day)) throw new Failure('not_found', 'there is no such sitemap');
    const ids = await sitemaps.ofDay(day, Number(page));
    if (ids.length === 0 && page !== '1') throw new Failure('not_found', 'there is no such sitemap');
    const entries = await mapInTimeSlices<string, string>(
      ids,
      () => 1,
      (id) => element('url', `${baseUrl}/e/${id}`),
      1_000,
    );
    return sendXml(request, reply, 'urlset', entries);
  });
}

function isDay(day: string): boolean {
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day);
}

const element = (name: 'sitemap' | 'url', address: string): string =>
  `<${name}><loc>${address}</loc></${name}>\n`;

function sendXml(
  request: FastifyRequest,
  reply: FastifyReply,
  root: 'sitemapindex' | 'urlset',
  entries: readonly string[],
): Promise<FastifyReply> {
  void reply.header('Content-Type', 'application/xml; charset=utf-8');
  const body = entries.join('');
  return sendFresh(
    request,
    reply,
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="${NAMESPACE}">\n${body}</${root}>\n`,
  );
}
