import { TEMPLATES, type TemplateName } from '@svc/protocol/conventions';
import { renderPage } from '@svc/web/layout';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance } from 'fastify';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { type Document, keepSuccess, readDocuments, sendDocument } from '../documents.ts';
import { takeAnonymous } from './session.ts';
import { siteFor } from './site.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type Guide, type MenuGroup, menuOf, renderGuide, searchGuides } from './guide-markdown.ts';

const INDEX = 'README';
const QUERY_MAX = 100;

export function mountGuidePages(app: FastifyInstance, deps: HttpDependencies): void {
  const rendered = new Map<string, Guide>();

  function render(document: Document, served: ReadonlySet<string>): Guide {
    const guide = rendered.get(document.name) ?? renderGuide(document, served);
    rendered.set(document.name, guide);
    return guide;
  }
  const renderAll = keepSuccess(async () => {
    const { list, byName } = await readDocuments(deps.baseUrl);
    const served = new Set(byName.keys());
    const pages = list.filter(({ name }) => name.endsWith('.md'));
    return mapInTimeSlices(
      pages,
      ({ bytes }) => bytes.length,
      (document) => render(document, served),
    );
  });

  async function search(query: string): Promise<GuideHit[]> {
    if (query === '') return [];
    return searchGuides(await renderAll(), query).map(({ guide, section }) => ({
      path: guide.path,
      title: guide.title,
      id: section.heading === guide.title ? '' : section.id,
      heading: section.heading,
    }));
  }

  app.get<{ Params: { '*': string }; Querystring: { q?: string } }>('/docs/*', async (request, reply) => {
    const name = request.params['*'];
    const site = siteFor(deps, request);
    if (name === INDEX && request.query.q !== undefined) {
      await takeAnonymous(deps, request);
      const query = String(request.query.q).trim().slice(0, QUERY_MAX);
      return guideSearchPage(site, query, await search(query));
    }
    const { byName } = await readDocuments(deps.baseUrl);
    const file = byName.get(name);
    if (file) return sendDocument(request, reply, file);
    const page = byName.get(`${name}.md`);
    if (!page) return reply.callNotFound();
    const menu = menuOf(byName.get(`${INDEX}.md`)!, byName);
    return guidePage(site, render(page, new Set(byName.keys())), menu);
  });
}

interface GuideHit {
  path: string;
  title: string;
  /** the section's anchor; empty for the beginning of the page */
  id: string;
  heading: string;
}

/** @param html rendered from our own Markdown */
function guidePage(site: Site, { path, title, html }: Guide, menu: readonly MenuGroup[]): Page {
  const templates = TEMPLATE_NAMES.filter((name) => [`templates/${name}`, 'templates/README'].includes(path));
  const textAt = templates.length === 1 ? html.indexOf('</p>') + '</p>'.length : html.length;
  return renderPage(
    site,
    {
      title,
      description: `${title}, from the documentation of this service`,
      canonical: `${site.baseUrl}/docs/${path}`,
      section: '/docs/README',
      islands: [(templates.length > 0 || html.includes(' data-copy=')) && 'copy.js'],
    },
    <div class="wide with-sidebar guide">
      <Sidebar menu={menu} here={path} />
      <GuideSearch query="" />
      <article>
        <div dangerouslySetInnerHTML={{ __html: html.slice(0, textAt) }} />
        {templates.map((name) => (
          <TemplateText name={name} />
        ))}
        <div dangerouslySetInnerHTML={{ __html: html.slice(textAt) }} />
      </article>
      <p class="quiet">
        <a href={`/docs/${path}.md`}>This page as Markdown</a>
      </p>
    </div>,
  );
}

const TEMPLATE_NAMES = Object.keys(TEMPLATES) as TemplateName[];

/** The form shows the example in its empty fields, so nobody publishes it by mistake. */
const TemplateText = ({ name }: { name: TemplateName }) => (
  <section aria-labelledby={`text-${name}`}>
    <h2 id={`text-${name}`}>Text of a {name}</h2>
    <pre tabindex={0} class="wraps">
      <code data-copy="text">{TEMPLATES[name].trimEnd()}</code>
    </pre>
    <p>
      <a class="button" href={`/write?template=${name}`}>
        Use it <span class="visually-hidden">for a {name}</span>
      </a>
    </p>
    <p class="quiet">The form shows this text as an example. You need no account before the last step.</p>
  </section>
);

const Sidebar = ({ menu, here }: { menu: readonly MenuGroup[]; here: string }) => (
  <nav class="sidebar" aria-label="Guides">
    <details>
      <summary>All guides</summary>
      {menu.map(({ title, pages }, at) => (
        <details open={pages.some(({ path }) => path === here) || (here === INDEX && at === 0)}>
          <summary>{title}</summary>
          <ul>
            {pages.map((page) => (
              <li>
                <a
                  href={`/docs/${page.path}`}
                  {...(page.path === here && { 'aria-current': 'page' as const })}
                >
                  {page.title}
                </a>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </details>
  </nav>
);

function guideSearchPage(site: Site, query: string, hits: readonly GuideHit[]): Page {
  const title = query === '' ? 'Search the documentation' : `${query}: search the documentation`;
  return renderPage(
    site,
    { title, description: 'Search the documentation', unlisted: true },
    <div class="narrow guide">
      <h1>Search the documentation</h1>
      <GuideSearch query={query} />
      {query !== '' && hits.length === 0 && <p>No page contains these words.</p>}
      <ul>
        {hits.map(({ path, title: page, id, heading }) => (
          <li>
            <a href={`/docs/${path}${id === '' ? '' : `#${id}`}`}>
              {page}
              {heading !== page && `: ${heading}`}
            </a>
          </li>
        ))}
      </ul>
    </div>,
  );
}

function GuideSearch({ query }: { query: string }) {
  return (
    <form class="guide-bar" role="search" action="/docs/README">
      <a href="/docs/README">Overview</a> <a href="/docs">API reference</a>
      <label class="visually-hidden" for="guide-q">
        Search the documentation
      </label>
      <input id="guide-q" type="search" name="q" value={query} placeholder="Search the docs" />
      <button type="submit" class="secondary">
        Search
      </button>
    </form>
  );
}
