import { renderPage } from '@svc/web/layout';
import type { Page, Site } from '@svc/web/site';

/** @param html rendered from our own Markdown */
export function guidePage(
  site: Site,
  { path, title, html }: { path: string; title: string; html: string },
): Page {
  return renderPage(
    site,
    {
      title,
      description: `${title}, from the documentation of this service`,
      canonical: `${site.baseUrl}/docs/${path}`,
    },
    <div class="narrow guide">
      <GuideSearch query="" />
      <article dangerouslySetInnerHTML={{ __html: html }} />
      <p class="quiet">
        <a href={`/docs/${path}.md`}>This page as Markdown</a>
      </p>
    </div>,
  );
}

export interface GuideHit {
  path: string;
  title: string;
  /** the section's anchor; empty for the beginning of the page */
  id: string;
  heading: string;
}

export function guideSearchPage(site: Site, query: string, hits: readonly GuideHit[]): Page {
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
      <a href="/docs/README">All pages</a> <a href="/docs">API reference</a>
      <label class="visually-hidden" for="guide-q">
        Search the documentation
      </label>
      <input id="guide-q" type="search" name="q" value={query} />
      <button type="submit">Search</button>
    </form>
  );
}
