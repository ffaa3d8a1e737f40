import type { FastifyInstance } from 'fastify';
import { Failure } from '../../platform/failure.ts';
import { assets } from './assets.ts';

export interface SiteFileParts {
  baseUrl: string;
  /** URL; if undefined, the file points to the page about the service */
  securityContact: string | undefined;
  now: () => number;
}

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

export function mountSiteFiles(app: FastifyInstance, { baseUrl, securityContact, now }: SiteFileParts): void {
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
      `Contact: ${securityContact ?? `${baseUrl}/about#security`}`,
      `Expires: ${new Date(startOfDay(now()) + CONTACT_HOLDS_DAYS * DAY * 1_000).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${baseUrl}/.well-known/security.txt`,
      '',
    ].join('\n'),
  );
}

const startOfDay = (time: number): number => time - (time % (DAY * 1_000));
