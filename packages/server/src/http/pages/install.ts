import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { installPage, type Tarball } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { Failure } from '../../platform/failure.ts';
import { BUILD } from '../../settings/version.ts';
import { etagOf, isKnown } from '../etag.ts';
import { type PageParts, siteFor } from './parts.ts';
import { sendData, sendPage } from './send.ts';
import { wantedForm } from './wanted.ts';

const require = createRequire(import.meta.url);

export function mountInstall(app: FastifyInstance, parts: PageParts): void {
  let listed: Tarball[] | undefined;
  const tarballs = (): Tarball[] => (listed ??= readList(`${parts.site.baseUrl}/install/`));

  app.get('/install', async (_request, reply) => reply.redirect('/install/', 308));
  app.get('/install/', async (request, reply) => {
    const { version, commit } = BUILD;
    const data = { version, commit, tarballs: tarballs() };
    if (wantedForm(request.headers.accept) === 'json') return sendData(request, reply, data);
    return sendPage(request, reply, installPage(siteFor(parts.site, request), data));
  });
  app.get<{ Params: { name: string } }>('/install/:name', async (request, reply) => {
    const { name } = request.params;
    const tarball = tarballs().find(({ url, fixed_url }) =>
      [url, fixed_url].some((at) => at.endsWith(`/${name}`)),
    );
    if (!tarball)
      throw new Failure('not_found', 'this service has no such tarball; /install/ lists what it has');
    const etag = etagOf(tarball.sha256);
    void reply
      .header('Cache-Control', name === tarball.name ? 'no-cache' : 'public, max-age=31536000, immutable')
      .header('ETag', etag);
    if (isKnown(request, etag)) return reply.code(304).send();
    return reply.type('application/gzip').send(await readFile(require.resolve(`#install/${tarball.name}`)));
  });
}

function readList(folder: string): Tarball[] {
  let text: string;
  try {
    text = readFileSync(require.resolve('#install/index.json'), 'utf8');
  } catch {
    throw new Failure('not_found', 'this service was built without tarballs; `npm run build` makes them');
  }
  return (JSON.parse(text) as Omit<Tarball, 'url' | 'fixed_url'>[]).map((tarball) => ({
    ...tarball,
    url: folder + tarball.name,
    fixed_url: `${folder}${tarball.name.replace('.tgz', `-${tarball.sha256.slice(0, 16)}.tgz`)}`,
  }));
}
