// robots.txt, security.txt, the sitemap, icons and the web manifest.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Failure } from '../../platform/failure.ts';
import { assets } from './assets.ts';
import { createSitemaps, ON_A_SITEMAP } from '../../discovery/sitemap-store.ts';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { takeAnonymous } from './session.ts';
import { sendFresh } from './send.ts';
import type { HttpDependencies } from '../dependencies.ts';

const DAY = 86_400;
/** RFC 9116 recommends less than a year. */
const CONTACT_HOLDS_DAYS = 180;

const NOT_TO_INDEX = [
  '/account',
  '/feed',
  '/watching',
  '/inbox',
  '/following',
  '/write',
  '/sign-in',
  '/search',
];

export function mountSiteFiles(app: FastifyInstance, { baseUrl, config, clock }: HttpDependencies): void {
  const text = (path: string, type: string, make: () => string): void =>
    void app.get(path, async (_request, reply) =>
      reply.header('Content-Type', type).header('Cache-Control', `public, max-age=${DAY}`).send(make()),
    );

  for (const [path, name] of [
    ['/favicon.ico', 'favicon.ico'],
    ['/apple-touch-icon.png', 'icon-180.png'],
  ] as const) {
    app.get(path, async (_request, reply) => {
      const asset = assets().byName.get(assets().urls[name].slice('/assets/'.length));
      if (!asset) throw new Failure('not_found', 'there is no such file');
      return reply
        .header('Content-Type', asset.type)
        .header('Cache-Control', `public, max-age=${DAY}`)
        .send(asset.body);
    });
  }
  text('/site.webmanifest', 'application/manifest+json; charset=utf-8', () =>
    JSON.stringify({
      name: 'Commitment Service',
      short_name: 'Commitments',
      start_url: '/',
      display: 'browser',
      background_color: '#faf8f3',
      theme_color: '#1f3d4d',
      icons: [
        { src: assets().urls['icon.svg'], sizes: 'any', type: 'image/svg+xml' },
        { src: assets().urls['icon-180.png'], sizes: '180x180', type: 'image/png' },
        { src: assets().urls['icon-512.png'], sizes: '512x512', type: 'image/png' },
      ],
    }),
  );
  text('/robots.txt', 'text/plain; charset=utf-8', () =>
    [
      'User-agent: *',
      ...NOT_TO_INDEX.map((path) => `Disallow: ${path}`),
      '',
      `Sitemap: ${baseUrl}/sitemap.xml`,
      '',
    ].join('\n'),
  );
  text('/.well-known/security.txt', 'text/plain; charset=utf-8', () =>
    [
      `Contact: ${config.securityContact ?? `${baseUrl}/about#security`}`,
      `Expires: ${new Date(startOfDay(clock.now()) + CONTACT_HOLDS_DAYS * DAY * 1_000).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${baseUrl}/.well-known/security.txt`,
      '',
    ].join('\n'),
  );
}

const startOfDay = (time: number): number => time - (time % (DAY * 1_000));

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const NAME = /^(\d{4}-\d\d-\d\d)(?:-([1-9]\d{0,3}))?$/;

export function mountSitemap(app: FastifyInstance, deps: HttpDependencies): void {
  const { baseUrl } = deps;
  const sitemaps = createSitemaps(deps.discovery);

  app.get('/sitemap.xml', async (request, reply) => {
    await takeAnonymous(deps, request);
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
    await takeAnonymous(deps, request);
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
