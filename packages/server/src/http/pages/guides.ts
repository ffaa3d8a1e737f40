import { type GuideHit, guidePage, guideSearchPage } from '@svc/web';
import type { FastifyInstance } from 'fastify';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { type Document, readDocuments } from '../documents.ts';
import { type Guide, renderGuide, searchGuides } from '../guides.ts';
import { sendDocument } from '../llms-page.ts';
import { takeAnonymous } from './allowance.ts';
import { type PageParts, siteFor } from './parts.ts';
import { sendPage } from './send.ts';

const INDEX = 'README';
const QUERY_MAX = 100;

export function mountGuides(app: FastifyInstance, parts: PageParts): void {
  const rendered = new Map<string, Guide>();
  let all: Promise<Guide[]> | undefined;

  function render(document: Document, served: ReadonlySet<string>): Guide {
    const guide = rendered.get(document.name) ?? renderGuide(document, served);
    rendered.set(document.name, guide);
    return guide;
  }
  async function renderAll(): Promise<Guide[]> {
    const { list, byName } = await readDocuments();
    const served = new Set(byName.keys());
    const pages = list.filter(({ name }) => name.endsWith('.md'));
    return mapInTimeSlices(
      pages,
      ({ bytes }) => bytes.length,
      (document) => render(document, served),
    );
  }

  async function search(query: string): Promise<GuideHit[]> {
    if (query === '') return [];
    all ??= renderAll().catch((error: unknown) => {
      all = undefined;
      throw error;
    });
    return searchGuides(await all, query).map(({ guide, section }) => ({
      path: guide.path,
      title: guide.title,
      id: section.heading === guide.title ? '' : section.id,
      heading: section.heading,
    }));
  }

  app.get<{ Params: { '*': string }; Querystring: { q?: string } }>('/docs/*', async (request, reply) => {
    const name = request.params['*'];
    const site = siteFor(parts.site, request);
    if (name === INDEX && request.query.q !== undefined) {
      await takeAnonymous(parts, request);
      const query = String(request.query.q).trim().slice(0, QUERY_MAX);
      return sendPage(request, reply, guideSearchPage(site, query, await search(query)));
    }
    const { byName } = await readDocuments();
    const file = byName.get(name);
    if (file) return sendDocument(request, reply, file);
    const page = byName.get(`${name}.md`);
    if (!page) return reply.callNotFound();
    return sendPage(request, reply, guidePage(site, render(page, new Set(byName.keys()))));
  });
}
