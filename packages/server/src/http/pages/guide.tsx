import { TEMPLATES, type TemplateName } from '@svc/protocol/conventions';
import { renderPage } from '@svc/web/layout';
import type { Page, Site } from '@svc/web/site';
import type { FastifyInstance } from 'fastify';
import { mapInTimeSlices } from '../../platform/flow/time-slices.ts';
import { type Document, keepSuccess, readDocuments, sendDocument } from '../documents.ts';
import { takeAnonymous } from './session.ts';
import { siteFor } from './site.ts';
import type { HttpDependencies } from '../dependencies.ts';
import { type GuideHit, type MenuGroup, menuOf, renderPart, searchGuides } from './guide-markdown.ts';
import { headingAbove, type Part, partsOf } from './guide-parts.ts';

const INDEX = 'README';
const QUERY_MAX = 100;

export function mountGuidePages(app: FastifyInstance, deps: HttpDependencies): void {
  const rendered = new Map<string, string>();
  const guides = keepSuccess(async () => {
    const { list } = await readDocuments(deps.baseUrl);
    const found = list.filter(({ name }) => name.endsWith('.md'));
    await mapInTimeSlices(found, ({ bytes }) => bytes.length, partsOf);
    return found;
  });

  app.get<{ Params: { '*': string }; Querystring: { q?: string } }>('/docs/*', async (request, reply) => {
    const path = request.params['*'];
    const site = siteFor(deps, request);
    if (path === INDEX && request.query.q !== undefined) {
      await takeAnonymous(deps, request);
      const query = String(request.query.q).trim().slice(0, QUERY_MAX);
      return guideSearchPage(site, query, query === '' ? [] : searchGuides(await guides(), query));
    }
    const { byName } = await readDocuments(deps.baseUrl);
    const file = byName.get(path);
    if (file) return sendDocument(request, reply, file);
    const guide = byName.get(`${path}.md`) ?? byName.get(`${path.slice(0, path.lastIndexOf('/'))}.md`);
    const part = guide && partsOf(guide).find((one) => one.path === path);
    if (!part) return reply.callNotFound();
    const html = rendered.get(path) ?? renderPart(guide, part, byName);
    rendered.set(path, html);
    return guidePage(site, { guide, part, html }, menuOf(byName.get(`${INDEX}.md`)!, byName));
  });
}

/** @param html rendered from our own Markdown */
function guidePage(
  site: Site,
  { guide, part, html }: { guide: Document; part: Part; html: string },
  menu: readonly MenuGroup[],
): Page {
  const parts = partsOf(guide);
  const at = parts.indexOf(part);
  const above = headingAbove(parts, part);
  const title = at === 0 ? guide.title : `${guide.title}, part ${at + 1}`;
  const templates =
    at === 0
      ? TEMPLATE_NAMES.filter((name) => [`templates/${name}`, 'templates/README'].includes(part.path))
      : [];
  const textAt = templates.length === 1 ? html.indexOf('</p>') + '</p>'.length : html.length;
  return renderPage(
    site,
    {
      title,
      description: `${title}, from the documentation of this service`,
      canonical: `${site.baseUrl}/docs/${part.path}`,
      section: '/docs/README',
      islands: [(templates.length > 0 || html.includes(' data-copy=')) && 'copy.js'],
    },
    <div class="wide with-sidebar guide">
      <Sidebar menu={menu} here={parts[0]!.path} />
      <GuideSearch query="" />
      <h1 id={parts[0]!.sections.find(({ depth }) => depth === 1)?.id}>{title}</h1>
      {parts.length > 1 && <Contents parts={parts} here={part} />}
      {above !== undefined && <h2>{above}</h2>}
      <article>
        <div dangerouslySetInnerHTML={{ __html: html.slice(0, textAt) }} />
        {templates.map((name) => (
          <TemplateText name={name} />
        ))}
        <div dangerouslySetInnerHTML={{ __html: html.slice(textAt) }} />
      </article>
      {parts.length > 1 && <Neighbors before={parts[at - 1]} after={parts[at + 1]} />}
      <p class="quiet">
        <a href={`/docs/${guide.name}`}>{parts.length > 1 ? 'All parts' : 'This page'} as Markdown</a>
      </p>
    </div>,
  );
}

/** A link to a section that is now in a different part opens the list at its entry. */
const Contents = ({ parts, here }: { parts: readonly Part[]; here: Part }) => (
  <details>
    <summary>
      Part {parts.indexOf(here) + 1} of {parts.length}: contents
    </summary>
    {parts.map((part, at) => (
      <ul aria-label={`Part ${at + 1}`}>
        {part.sections
          .filter(({ depth }) => depth === 2 || depth === 3)
          .map(({ id, heading }) => (
            <li {...(part !== here && { id })}>
              <a href={`${part === here ? '' : `/docs/${part.path}`}#${id}`}>{heading}</a>
            </li>
          ))}
      </ul>
    ))}
  </details>
);

const Neighbors = ({ before, after }: { before: Part | undefined; after: Part | undefined }) => (
  <nav aria-label="Parts">
    {before && (
      <p>
        <a href={`/docs/${before.path}`}>Previous part: {nameOf(before)}</a>
      </p>
    )}
    {after && (
      <p>
        <a href={`/docs/${after.path}`}>Next part: {nameOf(after)}</a>
      </p>
    )}
  </nav>
);
const nameOf = ({ sections }: Part): string => sections[0]!.heading;

const TEMPLATE_NAMES = Object.keys(TEMPLATES) as TemplateName[];

/** The form shows the example as a placeholder, so that no author publishes it by mistake. */
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
        {hits.map(({ href, title: page, heading }) => (
          <li>
            <a href={href}>
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
